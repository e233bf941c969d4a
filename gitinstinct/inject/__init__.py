"""What reaches the agent: which instincts, in which words, and a record of each time.

Two halves. The hook's half answers from what is prepared, and loads the standard library alone: `answer` (what happens
when a session begins or a prompt is sent), `state` (what the prepared text depends on), `ready` (where it lies), `pick`
(what this session gets of it), `lookup` and `terms` (what a prompt asks for), `remind` (a word before a tool
is used), `block` (the frame and the answer's format), `news` (what became global), `log` (the record). The other half
prepares: `prepare` reads the stores, `facts` and `index` say what each file is worth, `select` judges, `render` puts it
into words, `lexicon` makes the index of words, `usage` reads the record for people.
"""

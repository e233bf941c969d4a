"""From one project to all: the same instinct in several projects becomes one of the global store.

`landscape` reads all stores, `groups` says what belongs together and what contradicts, `candidates` what is to be
proposed. `form` says what a project's file is globally, `record` makes the promotion commit of a project's store on the
ref that `origin` names, `pick` brings it into the global store by git's own cherry-pick, `promotion` does all of it.
`landing` puts a branch that waited on `main` and follows up, `note` tells the projects and `news` the next session;
`branches` and `outlook` tell which branches wait, `rejection` which were turned down, `demote` is the way back.
"""

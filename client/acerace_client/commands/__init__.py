"""The commands of ``acerace``, a module each: ``add(subparsers)`` says what it takes, ``run(args)`` does it."""

#pragma once
#define and &&
#define or ||
#define not !
#define bitand &
#define bitor |
#define xor ^
#define compl ~
#define not_eq !=
#define and_eq &=
#define or_eq |=
#define xor_eq ^=

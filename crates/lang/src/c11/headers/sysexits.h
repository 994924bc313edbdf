#pragma once
#define EX_OK 0
#define EX_USAGE 64
#define EX_DATAERR 65
#define EX_SOFTWARE 70
#define EX_OSERR 71

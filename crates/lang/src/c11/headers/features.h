#pragma once
#define __BEGIN_DECLS
#define __END_DECLS
#define __CONCAT(a, b) a##b
#define __STRING(x) #x
#define __P(args) args
#define __THROW
#define __GLIBC_PREREQ(a, b) 1

#pragma once
#define TCP_NODELAY 1
#define TCP_CORK 3

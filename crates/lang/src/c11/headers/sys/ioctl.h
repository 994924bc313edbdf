#pragma once
int ioctl(int fd, unsigned long request, ...);

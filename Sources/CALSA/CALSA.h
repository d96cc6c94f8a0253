// SPDX-License-Identifier: Apache-2.0
#ifndef CALSA_H
#define CALSA_H
#include <alsa/asoundlib.h>
#endif

// SPDX-License-Identifier: Apache-2.0
#ifndef CSMF_H
#define CSMF_H
#include <smf.h>
#endif

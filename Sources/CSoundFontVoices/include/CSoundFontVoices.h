// SPDX-License-Identifier: Apache-2.0
// A quantum of eight voices at once, compiled for registers of 32 bytes too, which are used where
// the processor has them. Both give the same samples.
#ifndef CSOUNDFONTVOICES_H
#define CSOUNDFONTVOICES_H

#endif

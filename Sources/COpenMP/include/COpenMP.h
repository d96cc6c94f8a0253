// SPDX-License-Identifier: Apache-2.0
// One function of the OpenMP runtime, for programs that render with FluidSynth's effects on.
//
// FluidSynth makes its effects inside a parallel region, of one thread where it has one core; the
// runtime allocates and frees a team for each, once a quantum, on the render thread. A program
// that links this target and exports the symbol (-Xlinker --export-dynamic-symbol=GOMP_parallel)
// runs such a region as the plain call it is; the sound is the same to the bit. Regions of more
// threads go to the runtime as ever.
#ifndef COPENMP_H
#define COPENMP_H

/// Runs a region of one thread on the calling one, and others in the OpenMP runtime.
void GOMP_parallel(void (*region)(void *), void *data, unsigned threads, unsigned flags);

#endif

// SPDX-License-Identifier: Apache-2.0
// ALSA's own declarations, and what Swift cannot say: a variadic callback.
#ifndef CALSA_H
#define CALSA_H

#include <alsa/asoundlib.h>
#include <stddef.h>

/// Keeps what libasound says instead of printing it; any thread may ask, any number of times.
///
/// The words go to a fixed buffer without a lock: what comes while another thread writes is
/// dropped.
void calsa_keep_words(void);

/// Copies what libasound has said since the last call, one line a message, and forgets it.
void calsa_take_words(char *words, size_t size);

/// The descriptor that becomes readable when events have come, or -1.
static inline int calsa_input_descriptor(snd_seq_t *sequencer) {
  struct pollfd entry;
  return snd_seq_poll_descriptors(sequencer, &entry, 1, POLLIN) == 1 ? entry.fd : -1;
}

#endif

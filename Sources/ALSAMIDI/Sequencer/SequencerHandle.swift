// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import MIDIPorts

/// The owner of an open ALSA sequencer; closing it takes its ports and queues away.
///
/// Its methods are thin: each is one call of libasound, checked. It is opened non-blocking.
///
/// One thread at a time uses it: it lives inside a `Mutex`.
@safe
struct SequencerHandle: ~Copyable, @unchecked Sendable {
  private let sequencer: OpaquePointer

  /// `snd_seq_open` and `snd_seq_set_client_name`.
  init(name: String) throws(EndpointError) {
    // libasound would print its own lines on standard error.
    calsa_keep_words()
    var opened: OpaquePointer?
    let code = unsafe snd_seq_open(
      &opened, "default", Int32(SND_SEQ_OPEN_DUPLEX), Int32(SND_SEQ_NONBLOCK))
    guard code >= 0, let opened = unsafe opened else { throw .opening(code) }
    // A name that is refused is no reason not to play.
    unsafe snd_seq_set_client_name(opened, name)
    unsafe sequencer = opened
  }

  deinit {
    unsafe snd_seq_close(sequencer)
  }

  /// `snd_seq_client_id`.
  var client: UInt8 {
    UInt8(truncatingIfNeeded: unsafe snd_seq_client_id(sequencer))
  }

  /// The descriptor that becomes readable when events have come: `snd_seq_poll_descriptors`.
  var inputDescriptor: Int32 {
    unsafe calsa_input_descriptor(sequencer)
  }

  /// Runs a body with the pointer, for the extensions that group the calls by subject.
  func withPointer<Result: ~Copyable, Failure: Error>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try body(sequencer)
  }
}

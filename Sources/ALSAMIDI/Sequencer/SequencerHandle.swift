// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import MIDIPorts

/// An open ALSA sequencer; closing it removes its ports and queues.
///
/// Each method is one checked call of libasound. The sequencer is non-blocking. It is used by one
/// thread at a time, inside a `Mutex`.
@safe
struct SequencerHandle: ~Copyable, @unchecked Sendable {
  private let sequencer: OpaquePointer

  /// Opens the sequencer: `snd_seq_open` and `snd_seq_set_client_name`.
  init(name: String) throws(EndpointError) {
    // Otherwise libasound would print messages to standard error.
    calsa_keep_words()
    var opened: OpaquePointer?
    let code = unsafe snd_seq_open(
      &opened, "default", Int32(SND_SEQ_OPEN_DUPLEX), Int32(SND_SEQ_NONBLOCK))
    guard code >= 0, let opened = unsafe opened else { throw .opening(code) }
    // A refused name is ignored.
    unsafe snd_seq_set_client_name(opened, name)
    unsafe sequencer = opened
  }

  deinit {
    unsafe snd_seq_close(sequencer)
  }

  /// The number of the client: `snd_seq_client_id`.
  var client: UInt8 {
    UInt8(truncatingIfNeeded: unsafe snd_seq_client_id(sequencer))
  }

  /// The descriptor that becomes readable when events have arrived: `snd_seq_poll_descriptors`.
  var inputDescriptor: Int32 {
    unsafe calsa_input_descriptor(sequencer)
  }

  /// Runs a body with the pointer, for extensions that group calls by subject.
  func withPointer<Result: ~Copyable, Failure: Error>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try body(sequencer)
  }
}

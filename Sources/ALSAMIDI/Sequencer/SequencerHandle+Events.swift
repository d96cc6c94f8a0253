// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import MIDIPorts

extension SequencerHandle {
  /// The maximum number of events that the kernel queues for a client.
  static let poolSize = 2000

  /// Requests the largest pools, so that the events sent ahead fit and a burst is not lost:
  /// `snd_seq_set_client_pool_output`, `snd_seq_set_client_pool_input`.
  func raisePools() throws(EndpointError) {
    unsafe try withPointer { (sequencer) throws(EndpointError) in
      try EndpointError.check(
        "raise the output pool", unsafe snd_seq_set_client_pool_output(sequencer, Self.poolSize))
      try EndpointError.check(
        "raise the input pool", unsafe snd_seq_set_client_pool_input(sequencer, Self.poolSize))
    }
  }

  /// The number of cells of the output pool, and of free ones: `snd_seq_get_client_pool`.
  func outputPool() throws(EndpointError) -> (size: Int, free: Int) {
    var pool: OpaquePointer?
    try EndpointError.check("read the pool", unsafe snd_seq_client_pool_malloc(&pool))
    defer { unsafe snd_seq_client_pool_free(pool) }
    let code = unsafe withPointer { unsafe snd_seq_get_client_pool($0, pool) }
    try EndpointError.check("read the pool", code)
    return unsafe (
      snd_seq_client_pool_get_output_pool(pool), snd_seq_client_pool_get_output_free(pool)
    )
  }

  /// Adds an event to the buffer of libasound, which is passed on when it is full:
  /// `snd_seq_event_output`.
  ///
  /// - Parameter event: The event.
  /// - Returns: False if the kernel's pool is full.
  /// - Throws: `EndpointError`.
  func output(_ event: inout snd_seq_event_t) throws(EndpointError) -> Bool {
    let code = unsafe withPointer { unsafe snd_seq_event_output($0, &event) }
    if code == -EAGAIN { return false }
    try EndpointError.check("send an event", code)
    return true
  }

  /// Delivers an event before the call returns, bypassing the buffer of libasound:
  /// `snd_seq_event_output_direct`.
  ///
  /// - Parameter event: The event.
  /// - Returns: False if the receiver's pool is full.
  /// - Throws: `EndpointError`.
  func outputDirectly(_ event: inout snd_seq_event_t) throws(EndpointError) -> Bool {
    let code = unsafe withPointer { unsafe snd_seq_event_output_direct($0, &event) }
    if code == -EAGAIN || code == -ENOMEM { return false }
    try EndpointError.check("send an event", code)
    return true
  }

  /// Adds a piece of a SysEx to the buffer of libasound.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the message.
  ///   - piece: The range of the piece.
  ///   - template: The event without its bytes.
  /// - Returns: False if the kernel's pool is full.
  /// - Throws: `EndpointError`.
  func output(
    sysEx bytes: ContiguousArray<UInt8>, piece: Range<Int>, as template: snd_seq_event_t
  ) throws(EndpointError) -> Bool {
    var event = unsafe template
    unsafe event.type = UInt8(SND_SEQ_EVENT_SYSEX.rawValue)
    unsafe event.flags |= UInt8(SND_SEQ_EVENT_LENGTH_VARIABLE)
    let code = unsafe bytes[piece].withUnsafeBufferPointer { bytes in
      // libasound copies the bytes before it returns, and does not write to them.
      unsafe event.data.ext = snd_seq_ev_ext_t(
        len: UInt32(bytes.count), ptr: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      return unsafe withPointer { unsafe snd_seq_event_output($0, &event) }
    }
    if code == -EAGAIN { return false }
    try EndpointError.check("send a SysEx", code)
    return true
  }

  /// Passes the buffer of libasound to the kernel: `snd_seq_drain_output`.
  ///
  /// - Returns: False if the kernel's pool is full and some events are left.
  /// - Throws: `EndpointError`.
  @discardableResult
  func handOver() throws(EndpointError) -> Bool {
    let code = unsafe withPointer { unsafe snd_seq_drain_output($0) }
    if code == -EAGAIN { return false }
    try EndpointError.check("send events", code)
    return code == 0
  }

  /// The result of `receive(_:)`.
  enum Receipt {
    case event
    /// No more events have arrived.
    case nothing
    /// The kernel discarded received events, because they were not read in time.
    case overflow
  }

  /// Takes the next received event: `snd_seq_event_input`.
  ///
  /// The body may read the bytes that a SysEx event points to while it runs.
  func receive(_ body: (snd_seq_event_t) -> Void) throws(EndpointError) -> Receipt {
    var event: UnsafeMutablePointer<snd_seq_event_t>?
    let code = unsafe withPointer { unsafe snd_seq_event_input($0, &event) }
    switch code {
    case -EAGAIN:
      return .nothing
    case -ENOSPC:
      return .overflow
    default:
      try EndpointError.check("receive an event", code)
    }
    guard let event = unsafe event else { return .nothing }
    unsafe body(event.pointee)
    return .event
  }
}

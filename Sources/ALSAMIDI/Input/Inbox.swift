// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import MIDIMessages
internal import MIDIPorts
internal import MusicalTime
internal import Realtime

/// The received events of one input port that were not drained yet.
struct Inbox: Sendable {
  /// The maximum number of stored events.
  static let limit = 1 << 16

  private(set) var buffer = HostEventBuffer()
  /// The number of losses.
  private(set) var overflows = 0
  private var parsers: [EndpointAddress: MessageParser] = [:]
  private var ledger = NoteLedger()
  /// True if the pieces of a SysEx stay separate events, with F0 and F7 among their bytes.
  private let keepsPieces: Bool
  /// The senders with an unfinished SysEx, if the pieces stay separate.
  private var open: Set<EndpointAddress> = []

  init(keepsPieces: Bool) {
    self.keepsPieces = keepsPieces
  }

  /// Stores an event that arrived at an instant.
  mutating func take(_ event: snd_seq_event_t, at time: HostTime) {
    guard buffer.events.count < Self.limit else { return resynchronize(at: time) }
    let sender = unsafe EndpointAddress(event.source)
    if unsafe UInt32(event.type) == SND_SEQ_EVENT_SYSEX.rawValue {
      unsafe takeSysEx(event.data.ext, from: sender, at: time)
    } else {
      unsafe EventConversion.forEachMessage(of: event) { message in
        ledger.record(message)
        buffer.append(
          HostEvent(time: time, payload: .message(message), track: sender.track))
      }
    }
  }

  /// Notes a loss and appends note-offs for all sounding notes, because any of them may have been
  /// among the lost events.
  mutating func resynchronize(at time: HostTime) {
    overflows += 1
    for key in parsers.keys { parsers[key]?.reset() }
    for sender in open { buffer.append(sysEx: [0xF7].span, time: time, track: sender.track) }
    open.removeAll()
    for message in ledger.takeReleases(cuttingSound: false) {
      buffer.append(HostEvent(time: time, payload: .message(message)))
    }
  }

  /// Moves all events to another buffer.
  mutating func drain(into target: inout HostEventBuffer) {
    if target.isEmpty { return swap(&target, &buffer) }
    for event in buffer.events { target.append(event, payloads: buffer.payloads.span) }
    buffer.removeAll()
  }

  /// Stores a piece of a SysEx; pieces of several senders may be mixed.
  private mutating func takeSysEx(
    _ piece: snd_seq_ev_ext_t, from sender: EndpointAddress, at time: HostTime
  ) {
    guard let start = unsafe piece.ptr else { return }
    if keepsPieces {
      let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(piece.len))
      return unsafe keep(ContiguousArray(bytes), from: sender, at: time)
    }
    var parser = parsers[sender] ?? MessageParser()
    for offset in unsafe 0..<Int(piece.len) {
      let byte = unsafe start.load(fromByteOffset: offset, as: UInt8.self)
      parser.parse(byte, time: time, track: sender.track, into: &buffer)
    }
    parsers[sender] = parser
  }
}

extension Inbox {
  private mutating func keep(
    _ bytes: ContiguousArray<UInt8>, from sender: EndpointAddress, at time: HostTime
  ) {
    buffer.append(sysEx: bytes.span, time: time, track: sender.track)
    if bytes.last == 0xF7 { open.remove(sender) } else { open.insert(sender) }
  }
}

extension ClientState {
  /// Takes all received events from the kernel and sorts them into the inboxes.
  mutating func receive() throws(EndpointError) {
    while true {
      let receipt = unsafe try handle.receive { event in
        let time = unsafe arrivalTime(of: event)
        unsafe inboxes[event.dest.port]?.take(event, at: time)
      }
      switch receipt {
      case .nothing: return
      case .event: continue
      case .overflow:
        let now = HostTime(nanoseconds: DeadlineWait.now)
        for port in inboxes.keys { inboxes[port]?.resynchronize(at: now) }
      }
    }
  }

  /// The host time of an event's stamp; the current time if the stamp is the sender's own.
  private func arrivalTime(of event: snd_seq_event_t) -> HostTime {
    let isReal = unsafe Int32(event.flags) & SND_SEQ_TIME_STAMP_MASK == SND_SEQ_TIME_STAMP_REAL
    guard isReal, unsafe Int32(event.queue) == queue else {
      return HostTime(nanoseconds: DeadlineWait.now)
    }
    let stamp = unsafe event.time.time
    return clock.hostTime(
      atQueue: Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec))
  }
}

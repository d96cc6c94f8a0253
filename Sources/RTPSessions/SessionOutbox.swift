// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime
internal import RTPMIDI
internal import Realtime
internal import Synchronization

/// What any thread leaves for that of the sessions, in order, and how much of it has not left.
final class SessionOutbox: Sendable {
  /// What is to be done.
  enum Letter: Sendable {
    case message(Message, at: HostTime)
    /// A SysEx message, or the named part of one.
    case sysEx([UInt8], SysExPart?, at: HostTime)
    case cancel(from: HostTime)
    case silence
    case invite(SessionAddress, name: String, isQuestion: Bool)
    case end

    /// Whether one that comes later makes it void.
    func isVoid(before other: Letter) -> Bool {
      let time: HostTime
      switch self {
      case .message(_, let at), .sysEx(_, _, let at): time = at
      case .cancel, .silence, .invite, .end: return false
      }
      return switch other {
      case .cancel(let from): time >= from
      case .silence, .end: true
      case .message, .sysEx, .invite: false
      }
    }
  }

  /// How many events wait at most, and of these how many only releases and clocks may be.
  private static let capacity = 8_000
  private static let reserve = 200

  fileprivate struct State {
    var letters: [Letter] = []
    /// How many events the thread has and has not sent.
    var held = 0
    var progress = (sent: 0, total: 0)
    var last = HostTime.zero
  }

  private let state = Mutex(State())

  /// Takes events in order, from the first, and says how many there was room for.
  func take(_ events: Span<HostEvent>, payloads: Span<UInt8>) -> Int {
    state.withLock { state in
      for index in events.indices {
        guard state.take(events[index], payloads) else { return index }
      }
      return events.count
    }
  }

  /// Leaves anything else.
  func post(_ letter: Letter) {
    state.withLock { state in
      state.letters.append(letter)
      if case .cancel(let from) = letter { state.last = min(state.last, from) }
    }
  }

  /// Exchanges what was left for an empty list; until `settle` all of it counts as held.
  func exchange(_ letters: inout [Letter]) {
    state.withLock { state in
      guard !state.letters.isEmpty else { return }
      swap(&state.letters, &letters)
      state.held += letters.count
    }
  }

  /// Says what the thread has still to send.
  func settle(held: Int, progress: (sent: Int, total: Int)) {
    state.withLock { ($0.held, $0.progress) = (held, progress) }
  }

  /// Whether everything has left.
  var isEmpty: Bool { state.withLock { $0.letters.isEmpty && $0.held == 0 } }

  /// Whether everything has left and sounds by an instant.
  func isDrained(at now: HostTime) -> Bool {
    state.withLock { $0.letters.isEmpty && $0.held == 0 && $0.last <= now }
  }

  /// How far a long SysEx has come, in octets.
  var progress: (sent: Int, total: Int) { state.withLock { $0.progress } }
}

extension SessionOutbox.State {
  fileprivate mutating func take(_ event: HostEvent, _ payloads: Span<UInt8>) -> Bool {
    let count = letters.count + held
    switch event.payload {
    case .message(let message):
      let mayWait = !message.isRelease && message.status < 0xF8
      guard count < SessionOutbox.room(mayWait) else { return false }
      letters.append(.message(message, at: event.time))
    case .sysEx(let place):
      guard take(payloads.extracting(place), nil, at: event.time) else { return false }
    case .sysExPart(let place, let part):
      guard take(payloads.extracting(place), part, at: event.time) else { return false }
    case .parameter, .fact: return true
    }
    last = max(last, event.time)
    return true
  }

  private mutating func take(
    _ octets: Span<UInt8>, _ part: SysExPart?, at time: HostTime
  ) -> Bool {
    let count = letters.count + held
    // Only one long SysEx is taken at a time; the sender keeps the next one.
    guard count < SessionOutbox.room(true), octets.count <= 256 || progress.total == 0 else {
      return false
    }
    letters.append(.sysEx(octets.indices.map { octets[$0] }, part, at: time))
    if octets.count > 256 { progress = (0, octets.count + 2) }
    return true
  }
}

extension SessionOutbox {
  fileprivate static func room(_ mayWait: Bool) -> Int { capacity - (mayWait ? reserve : 0) }
}

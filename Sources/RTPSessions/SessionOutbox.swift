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

  /// What is known of what has left.
  struct Departures: Sendable {
    /// How many octets of long SysEx messages have left, and of how many.
    var sysEx = (sent: 0, total: 0)
    /// The latest time at which something that has left is to sound.
    var last = HostTime.zero
    /// The longest time that an event waited behind a long SysEx, in nanoseconds.
    var delay: Int64 = 0
  }

  /// How many events wait at most, and of these how many only releases and clocks may be.
  private static let capacity = 8_000
  private static let reserve = 200

  fileprivate struct State {
    var letters: [Letter] = []
    /// How many events the thread has and has not sent.
    var held = 0
    /// Octets of long SysEx messages among the letters.
    var longOctets = 0
    var departures = Departures()
    /// The latest time of what was taken and not taken back.
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
      state.departures.sysEx.total += state.longOctets
      state.longOctets = 0
    }
  }

  /// Says how many events the thread has still to send, and what it has sent.
  func settle(held: Int, _ departures: Departures) {
    state.withLock { state in
      let delay = max(state.departures.delay, departures.delay)
      (state.held, state.departures) = (held, departures)
      state.departures.delay = delay
    }
  }

  /// Whether everything has left.
  var isEmpty: Bool { state.withLock { $0.letters.isEmpty && $0.held == 0 } }

  /// Whether everything has left and sounds by an instant.
  func isDrained(at now: HostTime) -> Bool {
    state.withLock {
      $0.letters.isEmpty && $0.held == 0 && max($0.last, $0.departures.last) <= now
    }
  }

  /// Whether something waits for a long SysEx, or is to sound late because of one.
  func isHoldingBack(at now: HostTime) -> Bool {
    state.withLock { $0.longTotal > 0 || $0.departures.last > now }
  }

  /// How far long SysEx messages have come, in octets.
  var progress: (sent: Int, total: Int) {
    state.withLock { ($0.departures.sysEx.sent, $0.longTotal) }
  }

  /// The longest time that an event waited behind a long SysEx since the last call, in nanoseconds.
  func takeLongestDelay() -> Int64 {
    state.withLock { state in
      defer { state.departures.delay = 0 }
      return state.departures.delay
    }
  }
}

extension SessionOutbox.State {
  /// Octets of long SysEx messages that have not left completely.
  fileprivate var longTotal: Int { departures.sysEx.total + longOctets }

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
    let isLong = octets.count > SessionNode.longestSysExAtOnce
    // Of long ones the sender keeps what is more than 1 MiB.
    guard count < SessionOutbox.room(true),
      !isLong || longTotal == 0 || longTotal + octets.count <= SessionNode.longSysExRoom
    else { return false }
    letters.append(.sysEx(octets.indices.map { octets[$0] }, part, at: time))
    if isLong { longOctets += octets.count + 2 }
    return true
  }
}

extension SessionOutbox {
  fileprivate static func room(_ mayWait: Bool) -> Int { capacity - (mayWait ? reserve : 0) }
}

// SPDX-License-Identifier: Apache-2.0
internal import JSONText
package import MusicalTime
package import NetworkSockets
package import OpenSoundControl

/// What came by Open Sound Control, is to be done, and is to be answered, as a value: it knows no
/// socket.
///
/// Each message of a bundle has the bundle's instant: what starts, stops or moves music is handed on
/// before it, and takes effect at it. Whatever comes, it takes bounded memory and work.
package struct OSCInbox {
  /// The longest datagram in bytes.
  package static let longest = 8192
  /// The commands that may wait for their instants.
  package static let mostWaiting = 1024
  /// The messages that are taken in a second, and after a rest at once.
  package static let mostInSecond = 1000
  /// The answers that are given in a second.
  package static let mostAnswersInSecond = 200
  /// How far ahead an instant may lie.
  static let farthest = Duration.seconds(86_400)

  private struct Entry {
    let action: ControlAction
    let address: String
    let sender: SocketAddress
    /// When it takes effect; nil for at once.
    let time: HostTime?
  }

  /// What waits, what is due first in front.
  private var entries: [Entry] = []
  private var messages = TokenBucket(perSecond: OSCInbox.mostInSecond)
  private var answers = TokenBucket(perSecond: OSCInbox.mostAnswersInSecond)
  private var returns = OSCReturnPaths()
  /// What is to be sent, and where.
  package private(set) var output: [(packet: OSCPacket, to: SocketAddress)] = []
  /// What is to be told to a person.
  package private(set) var reports: [String] = []

  /// When something is to be done next: the past for what is due at once; nil if nothing waits.
  package var nextTime: HostTime? { entries.first.map { $0.time ?? .zero } }

  /// Takes a datagram.
  ///
  /// - Parameters:
  ///   - bytes: what came.
  ///   - sender: who is answered.
  ///   - clock: how time tags lie on the host's clock.
  ///   - now: when it came.
  package mutating func take(
    _ bytes: [UInt8], from sender: SocketAddress, _ clock: OSCClock, at now: HostTime
  ) {
    guard messages.take(at: now) else { return note(.tooFast, at: now) }
    returns.receive(bytes.count, from: sender)
    guard bytes.count <= Self.longest else {
      return answer(sender, "/", "datagram longer than \(Self.longest) bytes", at: now)
    }
    do {
      take(try OSCPacket(reading: bytes), from: sender, clock, after: nil, at: now)
    } catch {
      answer(sender, "/", "\(error)", at: now)
    }
  }

  private mutating func take(
    _ packet: OSCPacket, from sender: SocketAddress, _ clock: OSCClock, after outer: HostTime?,
    at now: HostTime
  ) {
    switch packet {
    case .message(let message): take(message, from: sender, due: outer, at: now)
    case .bundle(let bundle):
      let own = clock.hostTime(of: bundle.time, near: now)
      if let own, own < now, outer == nil, !bundle.elements.isEmpty {
        note(.late(nanoseconds: now.nanoseconds(since: own)), at: now)
      }
      // One in another is due no earlier than that.
      let time = [own, outer].compactMap { $0 }.max()
      for (index, element) in bundle.elements.enumerated() {
        // Each message counts.
        guard index == 0 || messages.take(at: now) else { return note(.tooFast, at: now) }
        take(element, from: sender, clock, after: time, at: now)
      }
    }
  }

  private mutating func take(
    _ message: OSCMessage, from sender: SocketAddress, due time: HostTime?, at now: HostTime
  ) {
    guard message.address.hasPrefix(OSCWords.root) else {
      // Whoever is told of a beat or an error has no wish to be answered, and two who answer each
      // other would never end.
      return note(.foreign(message.address), at: now)
    }
    guard message.address != OSCWords.confirmation else {
      if case .int32(let number)? = message.arguments.first {
        returns.confirm(number, from: sender, at: now)
      }
      return
    }
    do throws(ControlError) {
      if let time, time > now + Self.farthest {
        throw ControlError(.usage, "the bundle's time is more than a day ahead")
      }
      for action in try OSCWords.actions(of: message) {
        guard entries.count < Self.mostWaiting else {
          throw ControlError(.refused, "too many commands are waiting (limit: \(Self.mostWaiting))")
        }
        insert(Entry(action: action, address: message.address, sender: sender, time: time))
      }
    } catch {
      answer(sender, message.address, error.description, at: now)
    }
  }

  /// What has the same instant stays in the order in which it came.
  private mutating func insert(_ entry: Entry) {
    let key = entry.time?.nanoseconds ?? .min
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      let isBefore = entries[middle].time?.nanoseconds ?? .min <= key
      if isBefore { low = middle + 1 } else { high = middle }
    }
    entries.insert(entry, at: low)
  }

  /// Does what is due, or has to be begun by now; true where it did anything.
  package mutating func perform(_ target: some ControlTarget, at now: HostTime) -> Bool {
    var isDone = false
    var index = 0
    while index < entries.count, !target.hasEnded {
      let entry = entries[index]
      guard let time = entry.time, time > now else {
        entries.remove(at: index)
        perform(entry, target, at: nil, now)
        isDone = true
        continue
      }
      // Nothing later is to be begun yet.
      guard time <= now + Self.longestLead else { break }
      if case .perform(let command) = entry.action, let lead = target.leadTime(of: command),
        time <= now + lead
      {
        entries.remove(at: index)
        perform(entry, target, at: time, now)
        isDone = true
      } else {
        index += 1
      }
    }
    return isDone
  }

  /// The most that anything has to be begun ahead.
  static let longestLead = Duration.seconds(2)

  private mutating func perform(
    _ entry: Entry, _ target: some ControlTarget, at time: HostTime?, _ now: HostTime
  ) {
    do {
      switch entry.action {
      case .perform(let command): try target.execute(command, at: time)
      case .get(let property): tell([property], target.status, entry.sender, now)
      case .status:
        // Lists of things that have several parts are asked for one by one.
        let told = ControlProperty.allCases.filter { $0 != .playlist && $0 != .markers }
        tell(told, target.status, entry.sender, now)
      case .observe, .unobserve: break
      }
    } catch {
      answer(entry.sender, entry.address, "\(error)", at: now)
    }
  }

  private mutating func tell(
    _ properties: [ControlProperty], _ status: PlayStatus, _ sender: SocketAddress, _ now: HostTime
  ) {
    guard answers.take(at: now) else { return }
    let messages = properties.map { OSCMessage(telling: $0, $0.value(of: status)) }
    send(
      messages.count == 1
        ? .message(messages[0]) : .bundle(OSCBundle(messages.map(OSCPacket.message))), sender, now)
  }

  /// Sends an answer, or a number to repeat to an address that has not shown that it receives.
  private mutating func send(_ packet: OSCPacket, _ sender: SocketAddress, _ now: HostTime) {
    let size: Int
    do { size = try packet.bytes().count } catch { return }
    switch returns.verdict(size, challengeByteCount: 20, to: sender, at: now) {
    case .answer: output.append((packet, sender))
    case .challenge(let number):
      output.append((.message(OSCMessage("/confirm", [.int32(number)])), sender))
    case .nothing: break
    }
  }

  private mutating func answer(
    _ sender: SocketAddress, _ address: String, _ sentence: String, at now: HostTime
  ) {
    guard answers.take(at: now) else { return }
    let texts = [address, sentence].map { OSCValue.string($0.filter { $0 != "\0" }) }
    send(.message(OSCMessage("/error", texts)), sender, now)
  }

  /// What is to be sent, once.
  package mutating func takeOutput() -> [(packet: OSCPacket, to: SocketAddress)] {
    defer { output = [] }
    return output
  }

  // What a person is told, each kind once a second.

  private enum Note {
    case late(nanoseconds: Int64)
    case tooFast
    case foreign(String)
  }

  private var lastNotes: [Int: HostTime] = [:]
  private var missed = 0

  private mutating func note(_ note: Note, at now: HostTime) {
    let kind: Int
    switch note {
    case .late: kind = 0
    case .tooFast: (kind, missed) = (1, missed + 1)
    case .foreign: kind = 2
    }
    if let last = lastNotes[kind], now < last + .seconds(1) { return }
    lastNotes[kind] = now
    switch note {
    case .late(let nanoseconds):
      let milliseconds = (Double(nanoseconds) / 1e6).decimal(1)
      reports.append("OSC: a bundle arrived \(milliseconds) ms late and was executed at once")
    case .tooFast:
      reports.append("OSC: messages arrive too fast; \(missed) dropped so far")
    case .foreign(let address):
      reports.append("OSC: \(address): unknown address (addresses begin with \(OSCWords.root))")
    }
  }

  /// What is to be told, once.
  package mutating func takeReports() -> [String] {
    defer { reports = [] }
    return reports
  }
}

/// What may be done so often in a second, and after a rest at once.
package struct TokenBucket {
  private let perSecond: Int64
  private var tokens: Int64
  private var last: HostTime?

  package init(perSecond: Int) {
    self.perSecond = Int64(perSecond)
    tokens = self.perSecond * 1_000_000_000
  }

  /// Whether it may be done once more.
  package mutating func take(at now: HostTime) -> Bool {
    let full = perSecond * 1_000_000_000
    if let last, now > last {
      let passed = min(now.nanoseconds(since: last), 1_000_000_000)
      tokens = min(full, tokens + passed * perSecond)
    }
    last = now
    guard tokens >= 1_000_000_000 else { return false }
    tokens -= 1_000_000_000
    return true
  }
}

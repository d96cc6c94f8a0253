// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages
package import MusicalTime

extension SessionNode {
  /// Queues a message for a time.
  ///
  /// Messages can be queued in any order.
  ///
  /// - Returns: False if the queue is full. Room is reserved for releases and clocks.
  package mutating func send(_ message: Message, at time: HostTime) -> Bool {
    queue.add(message, at: max(time, .zero))
  }

  /// Queues a SysEx message without F0 and F7, or a part of one.
  ///
  /// A message of more than 256 bytes is sent in pieces, as fast as the session's window and
  /// `sysExSpeed` allow. Later events, except real-time messages, wait in order until its last
  /// piece is sent. A late message is sent late as a whole.
  ///
  /// - Parameters:
  ///   - bytes: The message, or a part of it.
  ///   - part: The position of the part; nil for a complete message. `abandoned` cancels the
  ///     message.
  ///   - time: The time at which it should be played.
  /// - Returns: False if the queue is full. At most 1 MiB of long messages can wait.
  package mutating func send(
    sysEx bytes: [UInt8], part: SysExPart? = nil, at time: HostTime
  ) -> Bool {
    queue.add(sysEx: bytes, part: part, at: max(time, .zero))
  }

  /// The speed of a long SysEx in bytes per second: `sysExSpeed`, or less if a peer limits it.
  ///
  /// Nil for as fast as the window allows.
  private var speed: Int? {
    let slowest = peers.compactMap { $0.isJoined ? $0.bitRate : nil }.min()
    let limits = [sysExSpeed, slowest.map { max(Int($0) / 10, 100) }]
    return limits.compactMap(\.self).min()
  }

  /// The longest delay of an event behind a long SysEx since the last call, in nanoseconds.
  package mutating func takeSysExDelay() -> Int64 { queue.takeLongestDelay() }

  /// Cancels events at or after an instant that have not been sent: all but the next 5 ms.
  package mutating func cancel(from time: HostTime) { queue.cancel(from: time) }

  /// Cancels events that have not been sent, and releases everything that sounds, at once.
  package mutating func silence(at now: HostTime) {
    queue.cancel(from: .zero)
    queue.cancelSysEx(at: now)
    sendQueued(at: now)
    let releases = ledger.takeReleases(cuttingSound: true)
    for start in stride(from: 0, to: releases.count, by: Self.listRoom / 7) {
      let part = releases[start..<min(start + Self.listRoom / 7, releases.count)]
      emit(part.map { PacketCommand(.message($0)) }, at: now, now: now)
    }
  }

  /// Sends the packets that are due; events that are close together share a packet.
  mutating func sendQueued(at now: HostTime) {
    let limit = now.advanced(saturating: Self.lead)
    while true {
      let group = queue.take(
        before: limit, at: now, span: Self.span, room: Self.listRoom, speed: speed)
      guard let first = group.first else { return }
      var last = units(at: first.time, roundedUp: true)
      let commands = group.map { entry in
        let time = units(at: entry.time, roundedUp: true)
        defer { last = time }
        return PacketCommand(delay: UInt32(truncatingIfNeeded: time &- last), entry.content)
      }
      // Events that are very late are sent like events that are due now.
      let octets = emit(
        commands, at: max(first.time, now.advanced(saturating: -1_000_000_000)), now: now)
      queue.charge(octets, at: first.time)
    }
  }

  /// Sends a packet to all joined peers, and returns the size of the largest in bytes.
  @discardableResult
  private mutating func emit(
    _ commands: [PacketCommand], at time: HostTime, now: HostTime
  ) -> Int {
    let units = units(at: time, roundedUp: true)
    lastTime = max(lastTime, time)
    var (isSent, octets) = (false, 0)
    for index in peers.indices where peers[index].isJoined {
      isSent = true
      let packet = peers[index].outgoing.packet(commands, units: units, source: source, at: now)
      guard let packet else { continue }
      octets = max(octets, packet.count)
      send(packet, to: peers[index].music, from: .music)
    }
    guard isSent else { return 0 }
    for case .message(let message) in commands.map(\.content) { ledger.record(message) }
    return octets
  }
}

// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages
package import MusicalTime

extension SessionNode {
  /// Takes a message that is to sound at an instant, in whatever order of times.
  ///
  /// - Returns: Whether there was room; room is kept for releases and clocks.
  package mutating func send(_ message: Message, at time: HostTime) -> Bool {
    queue.add(message, at: max(time, .zero))
  }

  /// Takes a SysEx, given without its F0 and F7.
  ///
  /// One of more than 256 octets leaves in pieces, as fast as the session's window and `sysExSpeed`
  /// allow; what is to sound after it waits in order until its last piece, real-time messages
  /// excepted. One that comes late leaves late as a whole.
  ///
  /// - Parameters:
  ///   - bytes: The message, or a part of it.
  ///   - part: Which part; nil for all of it. `abandoned` cancels the message.
  ///   - time: When it is to sound.
  /// - Returns: Whether there was room: 1 MiB of long messages may wait.
  package mutating func send(
    sysEx bytes: [UInt8], part: SysExPart? = nil, at time: HostTime
  ) -> Bool {
    queue.add(sysEx: bytes, part: part, at: max(time, .zero))
  }

  /// Octets a second of a long SysEx: what was asked for, or less if a partner takes less; nil for as
  /// fast as the window allows.
  private var speed: Int? {
    let slowest = peers.compactMap { $0.isJoined ? $0.bitRate : nil }.min()
    let limits = [sysExSpeed, slowest.map { max(Int($0) / 10, 100) }]
    return limits.compactMap(\.self).min()
  }

  /// The longest time that an event waited behind a long SysEx since the last call, in nanoseconds.
  package mutating func takeSysExDelay() -> Int64 { queue.takeLongestDelay() }

  /// Forgets what is to sound at or after an instant and has not left: all but the next 5 ms.
  package mutating func cancel(from time: HostTime) { queue.cancel(from: time) }

  /// Forgets what has not left, and releases what sounds, at once.
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

  /// Sends the packets whose time has come: those that belong together in one.
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
      // What is due since long is as good as due now.
      let octets = emit(
        commands, at: max(first.time, now.advanced(saturating: -1_000_000_000)), now: now)
      queue.charge(octets, at: first.time)
    }
  }

  /// Sends a packet to everybody in the session; returns the octets of the largest.
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

// SPDX-License-Identifier: Apache-2.0

/// The releases that must still be sent to one destination so that nothing sounds there.
///
/// `Hold` defines what is counted: pressed keys, held pedals and bends.
public struct NoteLedger: Sendable {
  private var owed = ContiguousArray<UInt8>(repeating: 0, count: Hold.count)
  /// The channels that were used; bit n is channel index n.
  private var used: UInt16 = 0

  /// Creates a ledger in which nothing sounds.
  public init() {}

  /// True if all keys and pedals are released and bends are centred.
  public var isSilent: Bool { owed.allSatisfy { $0 == 0 } }

  /// Updates the ledger after a message was sent.
  public mutating func record(_ message: Message) {
    guard let channel = message.channel else { return }
    used |= 1 << channel.index
    guard let (hold, begins) = message.hold else { return }
    hold.count(begun: begins, in: &owed[hold.index])
  }

  /// Records that a hold was begun a number of times and has not ended.
  ///
  /// The count is limited to 255.
  public mutating func record(_ hold: Hold, begun count: Int) {
    guard count > 0 else { return }
    used |= 1 << hold.channel.index
    owed[hold.index] = UInt8(clamping: Int(owed[hold.index]) + count)
  }

  /// Marks all channels as used, because other programs may also send to the destination.
  public mutating func assumeEverything() { used = .max }

  /// Returns the messages that end all holds, channel by channel, and clears the ledger.
  ///
  /// Only channels that were used are included.
  ///
  /// - Parameter cuttingSound: True to also cut off sound, release every pedal and centre the bend.
  ///   If false, notes and held pedals are released, and sound decays.
  /// - Returns: The messages, in the order in which they must be sent.
  public mutating func takeReleases(cuttingSound: Bool) -> [Message] {
    var releases: [Message] = []
    for channel in Channel.all where used & (1 << channel.index) != 0 {
      for hold in Hold.all(of: channel) {
        let count = hold.isKey ? owed[hold.index] : releaseCount(hold, cuttingSound)
        for _ in 0..<count { releases.append(hold.release) }
        owed[hold.index] = 0
      }
      guard cuttingSound else { continue }
      releases.append(.control(channel, .allNotesOff, value: 0))
      releases.append(.control(channel, .allSoundOff, value: 0))
    }
    used = 0
    return releases
  }

  /// Decaying sound keeps its bend.
  private func releaseCount(_ hold: Hold, _ cuttingSound: Bool) -> UInt8 {
    cuttingSound ? 1 : hold.isBend ? 0 : owed[hold.index]
  }
}

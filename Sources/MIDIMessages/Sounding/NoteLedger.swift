// SPDX-License-Identifier: Apache-2.0

/// What is sounding at one destination, and so which releases are owed there.
///
/// What counts is said by `Hold`: struck keys, held pedals and bends.
public struct NoteLedger: Sendable {
  private var owed = ContiguousArray<UInt8>(repeating: 0, count: Hold.count)
  /// Channels that were sent anything, bit n for channel index n.
  private var used: UInt16 = 0

  /// Creates an empty ledger.
  public init() {}

  /// Whether no key is struck, no pedal held and no bend off its centre.
  public var isSilent: Bool { owed.allSatisfy { $0 == 0 } }

  /// Records a message that was sent.
  public mutating func record(_ message: Message) {
    guard let channel = message.channel else { return }
    used |= 1 << channel.index
    guard let (hold, begins) = message.hold else { return }
    hold.count(begun: begins, in: &owed[hold.index])
  }

  /// Records that something was begun and not ended, so many times; more than 255 count as 255.
  public mutating func record(_ hold: Hold, begun count: Int) {
    guard count > 0 else { return }
    used |= 1 << hold.channel.index
    owed[hold.index] = UInt8(clamping: Int(owed[hold.index]) + count)
  }

  /// Takes every channel as used: where others play too, nobody knows on which.
  public mutating func assumeEverything() { used = .max }

  /// The messages that end all of it, channel by channel; the ledger is empty afterwards.
  ///
  /// Only channels that were used are told.
  ///
  /// - Parameter cuttingSound: whether sound is cut as well, and every pedal raised and the bend
  ///   centred to be sure; if not, notes are released and held pedals come up, and what sounds
  ///   rings out.
  /// - Returns: the messages, in the order in which they are to be sent.
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

  /// What rings out is heard as it is bent.
  private func releaseCount(_ hold: Hold, _ cuttingSound: Bool) -> UInt8 {
    cuttingSound ? 1 : hold.isBend ? 0 : owed[hold.index]
  }
}

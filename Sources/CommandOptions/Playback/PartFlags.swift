// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
internal import Downbeat
package import MIDIMessages
package import MusicSequences
internal import PlayerControl

/// The options for a part of a song: a pattern, a time range, or channels.
package struct PartFlags: ParsableArguments {
  package init() {}

  @Option(
    help: """
      Play only this pattern of a format 2 file (1 is the first). Default: all patterns, in order.
      """)
  package var pattern: Int?

  @Option(
    parsing: .unconditional,
    help: "Start at this time in each song: 1:30, 33.1.0, 'bar 33', 48b, 50%, @chorus.",
    transform: { try SongTime(parsing: $0) })
  package var from: SongTime?

  @Option(
    parsing: .unconditional, help: "Stop at this time in each song.",
    transform: { try SongTime(parsing: $0) })
  package var to: SongTime?

  @Option(
    name: [.customShort("Q"), .long], parsing: .unconditional,
    help: "Mute channels, such as 2,10; 2:10 is channel 10 of port 2.",
    transform: { try PortChannels(parsing: $0) })
  package var mute: PortChannels?

  @Option(
    parsing: .unconditional,
    help: "Play only these channels, such as 1,3-5; 2:1-8 are channels 1 to 8 of port 2.",
    transform: { try PortChannels(parsing: $0) })
  package var solo: PortChannels?

  @Option(
    parsing: .unconditional, help: "Same as --solo.",
    transform: { try PortChannels(parsing: $0) })
  package var only: PortChannels?

  @Flag(help: "Mute drums: channel 10, or the parts that the song sets to drums.")
  package var noDrums = false

  package func validate() throws {
    guard (pattern ?? 1) >= 1 else {
      throw ValidationError("--pattern \(pattern ?? 0): patterns are numbered from 1")
    }
    guard !channels.isEmpty else {
      throw ValidationError("--mute, --solo: no channel is left to play")
    }
  }

  /// The channels of each port that are played; `keepHeard` removes drums.
  package var channels: PortChannels {
    (solo ?? .all).intersection(only ?? .all).subtracting(mute ?? PortChannels(0))
  }

  /// True if no channel is left out.
  package var hasAllChannels: Bool { channels == .all && !noDrums }

  /// Removes the channels that are not played from a sequence.
  ///
  /// - Parameters:
  ///   - sequence: The sequence.
  ///   - mode: The bank mode, which determines the drum channels.
  package func keepHeard(of sequence: inout MusicSequence, in mode: BankMode = .auto) {
    let drums = noDrums ? sequence.portDrums(in: mode) : nil
    sequence.keep(channels: channels)
    if let drums { sequence.removeDrums(drums) }
  }

  /// The sequence of a file that is played: its only one, the selected pattern, or all patterns in
  /// order.
  package func sequence(of song: Song) throws -> MusicSequence {
    let sequences = song.file.sequences
    if let pattern {
      guard pattern <= sequences.count else {
        let count = sequences.count.counted("pattern")
        throw FlagText("--pattern", "\(pattern)").failure("\(song.name) has \(count)")
      }
      return sequences[pattern - 1]
    }
    guard sequences.count != 1 else { return sequences[0] }
    do {
      return try MusicSequence(patterns: sequences)
    } catch {
      throw Failure(.badData, "\(song.name): \(error) (--pattern N selects one pattern)")
    }
  }
}

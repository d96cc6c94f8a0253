// SPDX-License-Identifier: Apache-2.0
import Downbeat
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

extension SongKind {
  /// The sequence to play.
  func sequence() throws -> MusicSequence {
    var sequence = try #require(try SMFReader().read(file).sequences.first)
    if way == .withoutDrums { sequence.removeDrums(sequence.portDrums) }
    return sequence
  }

  /// The transformation for playing the song.
  var transform: MessageTransform {
    var transform = MessageTransform()
    if way == .transposed { transform.transposition = 2 }
    return transform
  }

  /// Returns the options for playing a sequence.
  func options(for sequence: MusicSequence) throws -> PlaybackOptions {
    var options = PlaybackOptions()
    options.transform = transform
    switch way {
    case .from(let tick): options.start = Tick(Int64(tick))
    case .twice: options.loop = LoopRange(start: .zero, end: sequence.length, count: 2)
    case .fileLoop:
      let range = try #require(FileLoop(sequence)).range
      options.loop = LoopRange(start: range.lowerBound, end: range.upperBound, count: 2)
    case .whole, .transposed, .withoutDrums: break
    }
    return options
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Some parts of a source's frames, one after another, as of files that were joined.
final class PiecedFrames: FrameSource {
  private let source: any FrameSource
  /// What is taken of the source, in order and apart from one another.
  private let pieces: [Range<Int64>]
  private let channelCount: Int
  private var piece = 0
  /// The source's frame that is read next.
  private var place: Int64

  /// Frames that are rather decoded than sought across: what was decoded goes on without a seam.
  private static let reach: Int64 = 1 << 14

  /// Takes parts of a source that stands at its beginning.
  init(_ source: any FrameSource, channelCount: Int, _ pieces: [Range<Int64>]) {
    self.source = source
    self.channelCount = channelCount
    self.pieces = pieces
    place = 0
  }

  var integerBits: Int? { source.integerBits }

  func read(_ samples: UnsafeMutableRawPointer, as type: SampleType, frameCount: Int) -> Int {
    let byteCount = channelCount * type.byteCount
    var done = 0
    while done < frameCount, pieces.indices.contains(piece) {
      let range = pieces[piece]
      guard place < range.upperBound else {
        piece += 1
        continue
      }
      let room = frameCount - done
      if range.lowerBound - place > Self.reach {
        guard source.seek(to: range.lowerBound) else { break }
        place = range.lowerBound
      }
      // What is no sound is written where the sound behind it will be.
      let isSound = place >= range.lowerBound
      let wanted = min(Int64(room), (isSound ? range.upperBound : range.lowerBound) - place)
      let count = unsafe source.read(
        samples + done * byteCount, as: type, frameCount: Int(wanted))
      guard count > 0 else { break }
      place += Int64(count)
      if isSound { done += count }
    }
    return done
  }

  func seek(to frame: Int64) -> Bool {
    var left = frame
    for (number, range) in pieces.enumerated() {
      let count = Int64(range.count)
      guard left >= count, number < pieces.count - 1 else {
        guard left <= count, source.seek(to: range.lowerBound + left) else { return false }
        (piece, place) = (number, range.lowerBound + left)
        return true
      }
      left -= count
    }
    return false
  }
}

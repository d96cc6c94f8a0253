// SPDX-License-Identifier: Apache-2.0

/// Several ranges of a source's frames as one sound, as in joined files.
final class PiecedFrames: FrameSource {
  private let source: any FrameSource
  /// The ranges, in order and not adjacent.
  private let pieces: [Range<Int64>]
  private let channelCount: Int
  private var piece = 0
  /// The source frame that is read next.
  private var place: Int64

  /// A gap of up to this many frames is decoded instead of skipped by a seek.
  private static let reach: Int64 = 1 << 14

  /// Creates a source from ranges of a source at its start.
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
      // The frames of a gap are written to the memory that the sound after the gap will overwrite.
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

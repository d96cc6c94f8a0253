// SPDX-License-Identifier: Apache-2.0

/// Sound files one after another, as they are encoded.
///
/// Between the sound of one file and that of the next a decoder gives frames that are none: what
/// filled up the last packet of the one, and what the filters of the other need. An M4A file says
/// where they lie, so that nothing is heard of them; players that do not follow an edit list of
/// several parts play the packets at a seam whole. ADTS and MP3 have no word for them, and there the
/// sounds lie apart by as much (`Seam.silentFrameCount`).
///
/// Parts that were cut out of one file are put together again by leaving out the packets that both
/// have: the seam is then the file's own, in every kind of file.
public struct PacketJoin {
  /// Where one file ends and the next begins.
  public struct Seam: Hashable, Sendable {
    /// The first frame of the next file's sound in the new one's.
    public let frame: Int64
    /// Frames before it that are heard and are no sound of either.
    public let silentFrameCount: Int
  }

  /// The files.
  public let readers: [PacketReader]
  /// Frames of sound, with those that cannot be left out.
  public var frameCount: Int64 { sequence.frameCount }
  /// Where they meet, one fewer than files.
  public let seams: [Seam]
  /// What a file of it holds.
  let sequence: PacketSequence

  /// Puts files together.
  ///
  /// - Parameters:
  ///   - readers: one or more.
  ///   - container: the kind of file it is for: M4A, MP3 or ADTS.
  /// - Throws: `SoundFileError.otherSound` where one differs from the first, so that no decoder
  ///   takes both; `.notSoundFile` where one has no frame of sound.
  /// - Complexity: O(n) in the number of files.
  public init(
    _ readers: [PacketReader], for container: SoundFileFormat.Container
  ) throws(SoundFileError) {
    precondition(!readers.isEmpty, "a join needs at least one file")
    var course = Course(container)
    for reader in readers {
      guard reader.table.frameCount > 0 else {
        throw .notSoundFile(path: reader.path, reason: "it does not contain sound")
      }
      if let difference = SoundDifference(reader, readers[0]) {
        throw .otherSound(path: reader.path, first: readers[0].path, difference)
      }
      course.add(reader)
    }
    self.readers = readers
    seams = course.seams
    sequence = course.sequence
  }
}

/// The files that were put together so far.
private struct Course {
  private let isTelling: Bool
  private let isBare: Bool
  private var runs: [PacketSequence.Run] = []
  private(set) var seams: [PacketJoin.Seam] = []
  private var gaps: [Range<Int64>] = []
  private var primingFrameCount: Int64 = 0
  /// Where the last file's first packet would begin, in decoded frames of the new file.
  private var origin: Int64 = 0
  /// Decoded frames of the new file, and where its sound ends.
  private var decodedCount: Int64 = 0
  private var soundEnd: Int64 = 0
  private var soundCount: Int64 = 0

  init(_ container: SoundFileFormat.Container) {
    isTelling = container == .m4a
    isBare = container == .aac
  }

  var sequence: PacketSequence {
    PacketSequence(
      runs: runs, reservoir: nil, primingFrameCount: isBare ? 0 : Int(primingFrameCount),
      remainderFrameCount: isBare ? 0 : Int(decodedCount - soundEnd), gaps: gaps,
      frameCount: isBare ? decodedCount : soundCount)
  }

  mutating func add(_ reader: PacketReader) {
    let table = reader.table
    guard let last = runs.last else {
      primingFrameCount = Int64(table.primingFrameCount)
      if isBare { soundCount = primingFrameCount }
      append(reader, from: 0, at: 0)
      return
    }
    if let splice = Splice(last.reader, reader), splice.end >= last.packets.lowerBound {
      let before = last.reader.table.packets
      let cut = splice.end < before.count ? before[splice.end].firstFrame : nil
      decodedCount = cut.map { origin + $0 } ?? decodedCount
      runs[runs.count - 1] = PacketSequence.Run(
        reader: last.reader, packets: last.packets.lowerBound..<splice.end)
      seams.append(PacketJoin.Seam(frame: soundCount, silentFrameCount: 0))
      append(reader, from: splice.start, at: decodedCount - table.packets[splice.start].firstFrame)
      return
    }
    let gap = soundEnd..<decodedCount + Int64(table.primingFrameCount)
    if isTelling {
      if !gap.isEmpty { gaps.append(gap) }
    } else {
      soundCount += Int64(gap.count)
    }
    seams.append(
      PacketJoin.Seam(frame: soundCount, silentFrameCount: isTelling ? 0 : gap.count))
    append(reader, from: 0, at: decodedCount)
  }

  /// Appends the packets of a file from one on; its first would begin at a decoded frame.
  private mutating func append(_ reader: PacketReader, from start: Int, at origin: Int64) {
    let table = reader.table
    self.origin = origin
    runs.append(PacketSequence.Run(reader: reader, packets: start..<table.packets.count))
    if isTelling {
      gaps += table.gaps.map { $0.lowerBound + origin..<$0.upperBound + origin }
      soundCount += table.frameCount
    } else {
      soundCount += table.frameCount + table.gaps.reduce(Int64(0)) { $0 + Int64($1.count) }
    }
    decodedCount = origin + reader.wholeFrameCount
    soundEnd = origin + table.soundEnd
  }
}

/// The place where the packets of a file go on as those of another end.
private struct Splice {
  /// The first packet of the one file that is left out.
  let end: Int
  /// The first packet of the other that is taken.
  let start: Int

  /// Finds it; nil where the files are not parts of one.
  init?(_ last: PacketReader, _ next: PacketReader) {
    let (table, other) = (last.table, next.table)
    let soundEnd = table.decodedFrameCount - Int64(table.remainderFrameCount)
    guard let place = other.packet(ofDecoded: Int64(other.primingFrameCount)) else { return nil }
    let count = table.packets.count
    let end =
      soundEnd == last.wholeFrameCount
      ? count : table.packet(ofDecoded: min(soundEnd, table.decodedFrameCount - 1))
    guard let end else { return nil }
    let offset = end < count ? soundEnd - table.packets[end].firstFrame : 0
    let overlap = last.overlap
    guard Int64(other.primingFrameCount) - other.packets[place].firstFrame == offset,
      place >= overlap, end >= overlap, overlap > 0 || offset > 0,
      offset == 0 || last.packet(end) == next.packet(place)
    else { return nil }
    for back in 0..<overlap {
      guard let packet = last.packet(end - 1 - back), packet == next.packet(place - 1 - back)
      else { return nil }
    }
    guard ReservoirPacket.isAlike(end - overlap, of: last, place - overlap, of: next) else {
      return nil
    }
    (self.end, start) = (end, place)
  }
}

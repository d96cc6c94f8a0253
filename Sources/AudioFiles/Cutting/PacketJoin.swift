// SPDX-License-Identifier: Apache-2.0

/// Sound files that are joined without re-encoding.
///
/// At each seam a decoder outputs frames that are not sound: the padding at the end of one file,
/// and the priming at the start of the next. An M4A file states the positions of these frames (in
/// an edit list), so that players skip them; a player that ignores edit lists with several parts
/// plays them. ADTS and MP3 files cannot state the positions, so there is a gap at each seam
/// (`Seam.silentFrameCount`).
///
/// If the files are consecutive parts that were cut from one file, the result is the original
/// sound: packets that both parts contain are written only once.
public struct PacketJoin {
  /// The point at which one file ends and the next file starts.
  public struct Seam: Hashable, Sendable {
    /// The position of the next file's first frame in the joined sound.
    public let frame: Int64
    /// The number of frames before `frame` that are played although they belong to neither file.
    public let silentFrameCount: Int
  }

  /// The joined files, in order.
  public let readers: [PacketReader]
  /// The number of frames that are played, including those at seams that cannot be left out.
  public var frameCount: Int64 { sequence.frameCount }
  /// The seams between the files, one fewer than the number of files.
  public let seams: [Seam]
  /// The contents of the new file.
  let sequence: PacketSequence

  /// Joins files.
  ///
  /// - Parameters:
  ///   - readers: The files in order, at least one.
  ///   - container: The container of the new file: M4A, MP3 or ADTS.
  /// - Throws: `SoundFileError.otherSound` if a file differs from the first one, so that one
  ///   decoder cannot decode both; `.notSoundFile` if a file does not contain sound.
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

/// The files that were joined so far.
private struct Course {
  private let isTelling: Bool
  private let isBare: Bool
  private var runs: [PacketSequence.Run] = []
  private(set) var seams: [PacketJoin.Seam] = []
  private var gaps: [Range<Int64>] = []
  private var primingFrameCount: Int64 = 0
  /// The position of the last file's first packet, in decoded frames of the new file.
  private var origin: Int64 = 0
  /// The number of decoded frames of the new file, and the end of its sound.
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

  /// Appends the packets of a file from `start` on; `origin` is the decoded frame of its first
  /// packet.
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

/// The packets at which two parts of one file continue each other.
private struct Splice {
  /// The first packet of the first file that is left out.
  let end: Int
  /// The first packet of the second file that is included.
  let start: Int

  /// Finds the packets; nil if the files are not parts of one file.
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

// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Copies packets of sound files to a new file without re-encoding: a part of one file, or several
/// files joined.
///
/// AAC is written to M4A and ADTS, ALAC to M4A, and MP3 to MP3. The same packets always give the
/// same bytes.
public enum PacketFile {
  /// Writes a part of a file.
  ///
  /// The new file appears only when it is complete.
  ///
  /// - Parameters:
  ///   - excerpt: The part of the source file to write.
  ///   - path: The name of the new file.
  ///   - container: The container that the excerpt was created for.
  ///   - tags: The tags of the new file. MP3 and ADTS files are written without tags.
  ///   - mayReplace: True to replace an existing file; true by default.
  ///   - progress: Called a few times per second with the completed fraction, 0…1. Return false to
  ///     cancel.
  /// - Returns: True if the file was written, false if `progress` cancelled it.
  /// - Throws: `SoundFileError.otherPackets` if the container does not support the codec;
  ///   `.cannotWrite`, `.cutOff`, and the errors of `SoundFileWriter` for a name.
  /// - Complexity: O(n) in the number of bytes.
  public static func write(
    _ excerpt: PacketExcerpt, to path: String, as container: SoundFileFormat.Container,
    tags: [SoundFileMetadata.Tag: String] = [:], mayReplace: Bool = true,
    progress: (Double) -> Bool = { _ in true }
  ) throws(SoundFileError) -> Bool {
    try write(
      excerpt.sequence, to: path, as: container, tags: tags, mayReplace: mayReplace,
      progress: progress)
  }

  /// Writes joined files.
  ///
  /// The new file appears only when it is complete.
  ///
  /// The parameters, the result and the errors are the same as those of
  /// `write(_:to:as:tags:mayReplace:progress:)` for a part.
  ///
  /// - Complexity: O(n) in the number of bytes.
  public static func write(
    _ join: PacketJoin, to path: String, as container: SoundFileFormat.Container,
    tags: [SoundFileMetadata.Tag: String] = [:], mayReplace: Bool = true,
    progress: (Double) -> Bool = { _ in true }
  ) throws(SoundFileError) -> Bool {
    try write(
      join.sequence, to: path, as: container, tags: tags, mayReplace: mayReplace,
      progress: progress)
  }

  private static func write(
    _ sequence: PacketSequence, to path: String, as container: SoundFileFormat.Container,
    tags: [SoundFileMetadata.Tag: String], mayReplace: Bool, progress: (Double) -> Bool
  ) throws(SoundFileError) -> Bool {
    // The codec of the core layer; the higher layers are found only by decoding.
    let codec = sequence.reader.core?.codec ?? .aac
    guard containers(for: codec).contains(container) else {
      throw .otherPackets(path: path, codec, containers(for: codec))
    }
    var file = try TemporaryFile(target: path, mayReplace: mayReplace)
    switch container {
    case .mp3:
      // The first packet contains a checksum of the packets after it.
      guard let size = sequence.infoPacket([], 0)?.bytes.count else {
        throw .cannotEncode(path: path, reason: "its MP3 frames are too small for an Info header")
      }
      _ = file.stream.seek(Int64(size), SEEK_SET)
    case .m4a: try put(sequence.head(tags).bytes, to: file.stream, path)
    default: break
    }
    guard let copied = try copy(sequence, to: file.stream, container, path, progress) else {
      return false
    }
    if container == .mp3 {
      guard let packet = sequence.infoPacket(copied.sizes, copied.sum) else {
        throw .cannotEncode(path: path, reason: "its first packet cannot be read again")
      }
      _ = file.stream.seek(0, SEEK_SET)
      try put(packet.bytes, to: file.stream, path)
    }
    try file.keep(underFreeName: false)
    return true
  }

  /// Returns the containers that support a codec, with the usual one first.
  public static func containers(for codec: SoundCodec) -> [SoundFileFormat.Container] {
    switch codec {
    case .aac, .aacHE, .aacHEv2: [.m4a, .aac]
    case .alac: [.m4a]
    case .mp3: [.mp3]
    default: []
    }
  }

  /// Copies the packets; nil if `progress` cancelled it.
  private static func copy(
    _ sequence: PacketSequence, to stream: FileStream, _ container: SoundFileFormat.Container,
    _ path: String, _ progress: (Double) -> Bool
  ) throws(SoundFileError) -> (sizes: [Int], sum: UInt16)? {
    let config = AudioSpecificConfig(sequence.reader.magicCookie)
    var (sizes, sum, waiting) = ([Int](), CyclicSum(), [UInt8]())
    if let reservoir = sequence.reservoir {
      sizes.append(reservoir.bytes.count)
      sum.add(reservoir.bytes)
      waiting += reservoir.bytes
    }
    var done = 0
    let count = sequence.runs.reduce(0) { $0 + $1.packets.count }
    for run in sequence.runs {
      for number in run.packets {
        let packet = try run.packet(number)
        if container == .aac {
          guard let head = config.flatMap({ ADTSHeader.bytes(before: packet.count, $0) }) else {
            throw .cannotEncode(
              path: path, reason: "ADTS does not support its sample rate or channel count")
          }
          waiting += head
        }
        if container == .mp3 {
          sizes.append(packet.count)
          sum.add(packet)
        }
        waiting += packet
        done += 1
        guard waiting.count >= 1 << 16 else { continue }
        try put(waiting, to: stream, path)
        waiting.removeAll(keepingCapacity: true)
        guard progress(Double(done) / Double(count)) else { return nil }
      }
    }
    try put(waiting, to: stream, path)
    return progress(1) ? (sizes, sum.value) : nil
  }

  private static func put(
    _ bytes: [UInt8], to stream: FileStream, _ path: String
  ) throws(SoundFileError) {
    unsafe bytes.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { unsafe _ = stream.write(base, bytes.count) }
    }
    guard stream.failure == 0 else { throw .cannotWrite(path: path, code: stream.failure) }
  }
}

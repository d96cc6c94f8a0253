// SPDX-License-Identifier: Apache-2.0

/// Writes songs in a RIFF wrapper (RMID), with texts and a bank of instruments.
///
/// A bank may be larger than memory. `head` therefore returns only the bytes before the bank, and
/// the caller appends the bank and its `padding`.
///
/// Source: RIFF-RMID (RP-029); SF2 RMIDI specification, revision 1.19.
public struct WrapperWriter: Sendable {
  /// The writer of the song itself.
  public var songWriter: SMFWriter

  /// Creates a writer, by default with a song writer that uses running status.
  public init(songWriter: SMFWriter = SMFWriter()) { self.songWriter = songWriter }

  /// Returns the bytes of a file, in the wrapper with which it was read.
  ///
  /// The song is written with its edits. All other chunks are copied unchanged, in their order.
  ///
  /// - Parameter file: The file. A file without a wrapper is written as a Standard MIDI File.
  /// - Returns: The whole file.
  /// - Throws: The errors of `SMFWriter.write`; `SequenceError.notRepresentable` above 4 GiB.
  /// - Complexity: O(n) in the bytes of the file.
  public func write(_ file: SequenceFile) throws(SequenceError) -> [UInt8] {
    let song = try songWriter.write(file)
    guard let wrapper = file.wrapper else { return song }
    var body = ChunkName("RMID").bytes
    body.reserveCapacity(wrapper.bytes.count + song.count)
    var hasSong = false
    for chunk in wrapper.chunks {
      let isSong = chunk.name == ChunkName("data") && !hasSong
      hasSong = hasSong || isSong
      try Self.append(
        chunk.name, isSong ? song[...] : wrapper.bytes[chunk.content], to: &body)
    }
    return try Self.whole(body, followedBy: 0)
  }

  /// Returns the bytes of a wrapped song that precede its bank, or the whole file if it does not
  /// have a bank.
  ///
  /// - Parameters:
  ///   - file: The song.
  ///   - information: The list `INFO`; not written if it is empty.
  ///   - bankCount: The length in bytes of the bank, a file that begins with `RIFF`; 0 without a
  ///     bank.
  /// - Returns: An even number of bytes.
  /// - Throws: The errors of `SMFWriter.write`; `SequenceError.notRepresentable` above 4 GiB.
  public func head(
    of file: SequenceFile, _ information: WrapperInformation, bankCount: Int
  ) throws(SequenceError) -> [UInt8] {
    var body = ChunkName("RMID").bytes
    try Self.append(ChunkName("data"), songWriter.write(file)[...], to: &body)
    var list = ChunkName("INFO").bytes
    for entry in information.entries where !entry.bytes.isEmpty {
      try Self.append(entry.name, entry.bytes[...], to: &list)
    }
    if list.count > 4 { try Self.append(ChunkName("LIST"), list[...], to: &body) }
    return try Self.whole(body, followedBy: bankCount)
  }

  /// Returns the padding to write after a bank: one zero byte if the length of the bank in bytes is
  /// odd, otherwise nothing.
  public static func padding(ofBank count: Int) -> [UInt8] { count & 1 == 1 ? [0] : [] }

  private static func append(
    _ name: ChunkName, _ content: ArraySlice<UInt8>, to bytes: inout [UInt8]
  ) throws(SequenceError) {
    bytes += name.bytes
    bytes += try length(content.count)
    bytes += content
    if content.count & 1 == 1 { bytes.append(0) }
  }

  private static func whole(
    _ body: [UInt8], followedBy count: Int
  ) throws(SequenceError) -> [UInt8] {
    guard let count = UInt32(exactly: count) else { return try length(count) }
    let whole = body.count + Int(count) + padding(ofBank: Int(count)).count
    return ChunkName("RIFF").bytes + (try length(whole)) + body
  }

  private static func length(_ count: Int) throws(SequenceError) -> [UInt8] {
    guard let count = UInt32(exactly: count) else {
      throw .notRepresentable("\(count) bytes do not fit in a RIFF file (at most 4294967295)")
    }
    return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: count >> $0) }
  }
}

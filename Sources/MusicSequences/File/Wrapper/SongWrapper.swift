// SPDX-License-Identifier: Apache-2.0

/// The RIFF wrapper of a song (RMID), with a bank of instruments, texts, and other chunks.
///
/// All ranges refer to `bytes`, which shares its memory with the array that was read.
///
/// Source: RIFF-RMID (RP-029); SF2 RMIDI specification, revision 1.19.
public struct SongWrapper: Sendable {
  /// The bytes of the whole file, to which all ranges refer.
  public let bytes: [UInt8]
  /// The chunks of the wrapper, in the order of the file, including the song and the bank.
  public internal(set) var chunks: [Chunk] = []
  /// The chunks of the list `INFO`, in the order of the file; empty chunks are left out.
  public internal(set) var information: [Chunk] = []
  /// The bank of instruments; nil if the wrapper does not contain one.
  public internal(set) var bank: Bank?
  /// The bank offset that the chunk `DBNK` states, 0…127; nil without a valid `DBNK`.
  public internal(set) var statedBankOffset: Int?

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// A chunk of the wrapper, and the position of its content in the file.
  public struct Chunk: Hashable, Sendable {
    /// The four-letter name of the chunk.
    public let name: ChunkName
    /// The type of a list or form, such as `INFO`; nil for other chunks.
    public let type: ChunkName?
    /// The range of the content in the file's bytes, after the chunk's length.
    ///
    /// It includes the type, and ends at the end of the file at the latest.
    public let content: Range<Int>
  }

  /// A bank of instruments inside a song's file.
  public struct Bank: Hashable, Sendable {
    /// The format of the bank.
    public let kind: Kind
    /// The range of the bank in the file's bytes, beginning with `RIFF`.
    ///
    /// It ends at the end of the song's file at the latest.
    public let range: Range<Int>
    /// The number of bytes that are missing, because the file ends before the bank does.
    public let missingCount: Int

    /// The formats of banks.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// SoundFont 2, or 3 with compressed samples (`sfbk`).
      case soundFont
      /// Downloadable Sounds (`DLS `).
      case downloadableSounds
    }
  }

  /// The offset added to the bank number of each preset in the embedded bank, 0…127.
  ///
  /// The offset does not apply to drum kits. If the file does not have a `DBNK` chunk, the offset
  /// is 1 for a SoundFont and 0 for DLS. Without an embedded bank it is 0.
  public var bankOffset: Int {
    guard let bank else { return 0 }
    return statedBankOffset ?? (bank.kind == .soundFont ? 1 : 0)
  }

  /// True if the wrapper contains more than the song: a bank, texts or other chunks.
  public var hasContents: Bool { chunks.count > 1 }

  /// Returns the bytes of a field, or nil if the wrapper does not have the field.
  ///
  /// - Parameter field: The field. If several chunks have the same name, the first is used.
  /// - Returns: The bytes; for a text, without the zero bytes at its end.
  /// - Complexity: O(n) in the chunks of `INFO`.
  public func content(of field: Field) -> ArraySlice<UInt8>? {
    for name in field.names {
      guard let chunk = information.first(where: { $0.name == name }) else { continue }
      let content = bytes[chunk.content]
      guard field.isText else { return content }
      let text = content.prefix { $0 != 0 }
      return text.isEmpty ? nil : text
    }
    return nil
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The RIFF wrapper of a song (RMID), with a bank of instruments, texts, and other chunks.
///
/// The ranges refer to the bytes that were read, which are shared with the array given to the
/// reader.
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

  /// A chunk and its bytes in the file.
  public struct Chunk: Hashable, Sendable {
    /// The name.
    public let name: ChunkName
    /// The type of a list or form, such as `INFO`; nil for other chunks.
    public let type: ChunkName?
    /// The bytes after the length, including the type; shortened to the end of the file.
    public let content: Range<Int>
  }

  /// A bank of instruments inside a song's file.
  public struct Bank: Hashable, Sendable {
    /// The format.
    public let kind: Kind
    /// The bytes of the bank, from `RIFF` on; shortened to the end of the song's file.
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

  /// The number that is added to the bank numbers of the bank's presets, 0…127.
  ///
  /// Drum kits keep their numbers. Without `DBNK` the number is 1 for SoundFonts, and 0 for DLS and
  /// without a bank.
  public var bankOffset: Int {
    guard let bank else { return 0 }
    return statedBankOffset ?? (bank.kind == .soundFont ? 1 : 0)
  }

  /// True if the wrapper contains more than the song: a bank, texts or other chunks.
  public var hasContents: Bool { chunks.count > 1 }

  /// The bytes of a field, or nil if the wrapper does not have it.
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

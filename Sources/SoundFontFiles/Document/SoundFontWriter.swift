// SPDX-License-Identifier: Apache-2.0

/// Writes a soundfont without loading its sample data into memory.
///
/// Source: SoundFont 2.04, sections 4 to 7.
public struct SoundFontWriter: Sendable {
  private let segments: FontSegments

  /// Prepares to write a document, by determining the layout of the file.
  ///
  /// Sample data is not read yet.
  ///
  /// - Parameter document: The document.
  /// - Throws: An error if a table or the file exceeds a limit of the format, or an index is out of
  ///   range.
  /// - Complexity: O(n log n) in the size of the tables.
  public init(_ document: SoundFontDocument) throws(UnwritableSoundFont) {
    let layout = try SampleLayout(document)
    let tables = try TableWriting(document, layout)
    guard document.version != (0, 0) else {
      throw UnwritableSoundFont("its format version is missing")
    }
    var content = FontSegments()
    content.append(Array("sfbk".utf8))
    content.append(list: "INFO", Self.information(document, layout))
    content.append(list: "sdta", Self.sampleData(document.frame, layout))
    content.append(list: "pdta", Self.tables(document.frame, tables.tables))
    for chunk in document.frame.following { content.append(padded: chunk) }
    var file = FontSegments()
    file.append(chunk: Array("RIFF".utf8), content)
    guard content.count <= Self.sizeLimit else {
      throw UnwritableSoundFont(
        "the file would have \(file.count) bytes (at most \(Self.sizeLimit + 8))")
    }
    segments = file
  }

  /// The maximum size of a chunk, 4 GiB − 2.
  private static let sizeLimit = Int(UInt32.max) - 1

  /// The size of the file in bytes.
  public var byteCount: Int { segments.count }

  /// The bytes of the file.
  ///
  /// Sample data is read from the document's sources only when it is needed.
  public var bytes: FontBytes { segments.bytes }

  /// Writes the file in order, in pieces of at most 1 MiB.
  ///
  /// - Parameter sink: Receives each piece.
  /// - Throws: `SoundFontError.unreadable` if sample data cannot be read, and the errors of `sink`.
  /// - Complexity: O(n) in the size of the file, with memory for one piece.
  public func write(to sink: ([UInt8]) throws -> Void) throws {
    try segments.write(to: sink)
  }

  /// Returns the bytes of a document as an SF2 or SF3 file.
  ///
  /// Sample data is read from the document's sources only when it is needed.
  ///
  /// - Parameter document: The document.
  /// - Returns: The bytes of the file.
  /// - Throws: The errors of `init`.
  public static func bytes(
    of document: SoundFontDocument
  ) throws(UnwritableSoundFont) -> FontBytes {
    try SoundFontWriter(document).bytes
  }
}

extension SoundFontWriter {
  private static func information(
    _ document: SoundFontDocument, _ layout: SampleLayout
  ) -> FontSegments {
    var document = document
    document.raiseVersion(hasLowBytes: layout.lowBytes != nil)
    var content = FontSegments()
    for chunk in document.information {
      var bytes = FontSegments()
      bytes.append(chunk.content)
      content.append(chunk: chunk.tag, bytes, padding: chunk.padding)
    }
    return content
  }

  private static func sampleData(
    _ frame: SoundFontDocument.Frame, _ layout: SampleLayout
  ) -> FontSegments {
    var content = FontSegments()
    for chunk in frame.sampleChunks {
      switch chunk {
      case .known(let name):
        content.append(
          chunk: Array(name.utf8), layout.frames, padding: frame.samplePadding)
        if let lowBytes = layout.lowBytes { content.append(chunk: Array("sm24".utf8), lowBytes) }
      case .other(let bytes): content.append(padded: bytes)
      }
    }
    return content
  }

  private static func tables(
    _ frame: SoundFontDocument.Frame, _ tables: [String: [UInt8]]
  ) -> FontSegments {
    var content = FontSegments()
    for chunk in frame.tableChunks {
      switch chunk {
      case .known(let name):
        var bytes = FontSegments()
        bytes.append(tables[name] ?? [])
        content.append(chunk: Array(name.utf8), bytes)
      case .other(let bytes): content.append(padded: bytes)
      }
    }
    return content
  }
}

extension FontSegments {
  /// Appends a chunk with its padding.
  fileprivate mutating func append(chunk tag: [UInt8], _ content: Self, padding: UInt8 = 0) {
    append(tag + .little(long: content.count))
    append(content)
    if content.count % 2 == 1 { append([padding]) }
  }

  fileprivate mutating func append(list kind: String, _ chunks: Self) {
    var content = Self()
    content.append(Array(kind.utf8))
    content.append(chunks)
    append(chunk: Array("LIST".utf8), content)
  }

  /// Appends a complete chunk of a file, whose padding can be missing.
  fileprivate mutating func append(padded chunk: FontBytes) {
    append(chunk)
    if chunk.count % 2 == 1 { append([0]) }
  }
}

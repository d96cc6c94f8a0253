// SPDX-License-Identifier: Apache-2.0

extension SoundFontDocument {
  /// A chunk of the list `INFO`, with a text, the version of the format, or data of another
  /// program.
  public struct Information: Hashable, Sendable {
    /// The name, four bytes.
    let tag: [UInt8]
    /// The content, without padding.
    public var content: [UInt8]
    /// The byte that pads content of odd size.
    var padding: UInt8 = 0

    /// Creates a chunk.
    ///
    /// - Parameters:
    ///   - name: Four ASCII characters, such as `INAM`; cut or padded with spaces to four bytes.
    ///   - content: The content, without padding.
    public init(name: String, content: [UInt8]) {
      tag = Array((Array(name.utf8) + [32, 32, 32, 32]).prefix(4))
      self.content = content
    }

    init(tag: [UInt8], content: [UInt8], padding: UInt8) {
      (self.tag, self.content, self.padding) = (tag, content, padding)
    }

    /// The name, such as `INAM`.
    public var name: String { String(decoding: tag, as: UTF8.self) }

    /// The content decoded as text, without the zeros at its end.
    public var text: String { FontTable.text(content[...]) }
  }

  /// Returns the text of a chunk.
  ///
  /// - Parameter name: The name of the chunk: `INAM` name, `ICOP` copyright, `ICMT` comment, `IENG`
  ///   engineer, `IPRD` product, `ICRD` date, `ISFT` tools.
  /// - Returns: The text of the first chunk with this name; nil if the font does not have one.
  public func text(_ name: String) -> String? { information.first { $0.name == name }?.text }

  /// Sets the text of a chunk, or removes the chunk.
  ///
  /// An existing chunk keeps its position; a new one is appended.
  ///
  /// - Parameters:
  ///   - name: The name of the chunk.
  ///   - text: The text, cut to 65,535 bytes for `ICMT` and to 255 bytes for other chunks. An empty
  ///     text removes the chunk.
  public mutating func setText(_ name: String, _ text: String) {
    guard !text.isEmpty else { return information.removeAll { $0.name == name } }
    let limit = name == "ICMT" ? 65_535 : 255
    var bytes = Self.prefix(of: text, limit: limit) + [0]
    // The standard requires texts of even size.
    if bytes.count % 2 == 1 { bytes.append(0) }
    setInformation(name, bytes)
  }

  /// Sets the content of a chunk.
  ///
  /// An existing chunk keeps its position; a new one is appended.
  ///
  /// - Parameters:
  ///   - name: The name of the chunk.
  ///   - content: The content, without padding.
  public mutating func setInformation(_ name: String, _ content: [UInt8]) {
    guard let index = information.firstIndex(where: { $0.name == name }) else {
      return information.append(Information(name: name, content: content))
    }
    information[index] = Information(name: name, content: content)
  }

  /// The version of the format in `ifil`, such as (2, 4); (0, 0) if the chunk is missing.
  public var version: (major: Int, minor: Int) {
    guard let content = information.first(where: { $0.name == "ifil" })?.content,
      content.count >= 4
    else { return (0, 0) }
    let table = FontTable(content, recordSize: 4)
    return (table.word(0), table.word(2))
  }

  /// Sets the version of the format: (2, 1), (2, 4) for 24-bit samples, or (3, 0) for compressed
  /// samples.
  ///
  /// - Parameters:
  ///   - major: The major version, 0…65,535.
  ///   - minor: The minor version, 0…65,535.
  public mutating func setVersion(major: Int, minor: Int) {
    setInformation("ifil", [major, minor].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8 & 0xFF)] })
  }

  /// The modulators that apply to every note (the chunk `DMOD`); nil for the default modulators of
  /// the standard.
  ///
  /// The record of zeros that ends the list in the file is not part of this array.
  public var defaultModulators: [Modulator]? {
    get {
      guard let content = information.first(where: { $0.name == "DMOD" })?.content,
        !content.isEmpty, content.count % FontHydra.modulatorSize == 0
      else { return nil }
      let table = FontTable(content, recordSize: FontHydra.modulatorSize)
      return (0..<table.count - 1).map { Modulator(table, $0) }
    }
    set {
      guard let newValue else { return information.removeAll { $0.name == "DMOD" } }
      let closing = [UInt8](repeating: 0, count: FontHydra.modulatorSize)
      setInformation("DMOD", newValue.flatMap(\.bytes) + closing)
    }
  }

  /// The longest start of a text that is valid UTF-8, without zero bytes.
  static func prefix(of text: String, limit: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars where scalar.value != 0 {
      let next = Array(String(scalar).utf8)
      guard bytes.count + next.count <= limit else { break }
      bytes += next
    }
    return bytes
  }
}

extension SoundFontDocument {
  /// Increases the version to the lowest one that supports the samples: 2.04 for 24 bits, 3.0 for
  /// new compressed sounds.
  mutating func raiseVersion(hasLowBytes: Bool) {
    var (major, minor) = version
    let hasStreams = samples.contains { $0.isCompressed && !$0.data.isChunk }
    if hasStreams, major < 3 { (major, minor) = (3, 0) }
    if hasLowBytes { minor = max(4, minor) }
    if (major, minor) != version { setVersion(major: major, minor: minor) }
  }
}

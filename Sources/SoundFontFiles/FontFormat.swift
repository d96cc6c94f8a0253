// SPDX-License-Identifier: Apache-2.0

/// The format of a file of sampled instruments.
public enum FontFormat: Hashable, Sendable, CustomStringConvertible {
  /// A soundfont and the version of its format, such as 2.1, 2.4 or 3.0.
  case soundFont(major: Int, minor: Int)
  /// Downloadable Sounds, level 1 or 2.
  case dls(level: Int)

  /// The name, such as `SoundFont 2.04` or `DLS 1`.
  public var description: String {
    switch self {
    case .soundFont(let major, let minor):
      "SoundFont \(major).\(minor < 10 ? "0" : "")\(minor)"
    case .dls(let level): "DLS \(level)"
    }
  }
}

extension SoundFontTables {
  /// The format of the file from which the tables were read.
  public var format: FontFormat {
    dlsLevel.map { .dls(level: $0) } ?? .soundFont(major: version.major, minor: version.minor)
  }

  /// Returns true if the first bytes are those of a soundfont or a DLS file: `RIFF`, a size, and
  /// `sfbk` or `DLS `.
  ///
  /// - Parameter bytes: The bytes of the file.
  /// - Returns: True for a soundfont or DLS file; false for other files, or if the bytes cannot be
  ///   read.
  public static func isFont(_ bytes: FontBytes) -> Bool {
    do throws(SoundFontError) {
      guard let head = try bytes.chunk(at: 0) else { return false }
      return head.name == "RIFF" && (head.kind == "sfbk" || head.kind == "DLS ")
    } catch {
      return false
    }
  }

  /// Reads the tables of a soundfont or a DLS file.
  ///
  /// A DLS file is converted to the equivalent soundfont, whose samples are read from the DLS file
  /// when they are needed.
  ///
  /// - Parameter bytes: The bytes of the file.
  /// - Returns: The tables, and the bytes to which they refer.
  /// - Throws: `SoundFontError` if the file is not a soundfont or DLS file, or is truncated or
  ///   damaged.
  /// - Complexity: O(n) in the size of the tables of a soundfont, or of the instruments of a DLS
  ///   file.
  public static func open(
    _ bytes: FontBytes
  ) throws(SoundFontError) -> (tables: SoundFontTables, bytes: FontBytes) {
    guard try DLSReader.isDLS(bytes) else { return (try SoundFontTables(bytes), bytes) }
    let collection = try DLSReader.collection(bytes)
    let font = DLSFont(collection, file: bytes)
    let equal = try font.bytes()
    var tables = try SoundFontTables(equal)
    tables.dlsLevel = collection.level
    tables.conversionFindings = font.findings
    return (tables, equal)
  }
}

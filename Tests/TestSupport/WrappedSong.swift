// SPDX-License-Identifier: Apache-2.0

/// A song in a RIFF wrapper, byte by byte, so that a test's file is independent of this project's
/// writer.
///
/// Source: RIFF-RMID (RP-029); SF2 RMIDI specification, revision 1.19.
public enum WrappedSong {
  /// Creates a file of a song, the list `INFO` and a bank, in the order of the specification.
  ///
  /// - Parameters:
  ///   - song: A Standard MIDI File.
  ///   - information: The chunks of the list; empty for no list.
  ///   - bank: The bytes of a bank's file; empty for none.
  /// - Returns: The bytes of the file.
  public static func file(
    _ song: [UInt8], _ information: [(String, [UInt8])] = [], bank: [UInt8] = []
  ) -> [UInt8] {
    let list = information.isEmpty ? [] : list(information)
    return form(chunk("data", song) + list + bank + (bank.count % 2 == 1 ? [0] : []))
  }

  /// A file of chunks.
  public static func form(_ chunks: [UInt8]) -> [UInt8] {
    chunk("RIFF", Array("RMID".utf8) + chunks)
  }

  /// The list `INFO`.
  public static func list(_ information: [(String, [UInt8])]) -> [UInt8] {
    chunk("LIST", Array("INFO".utf8) + information.flatMap { chunk($0.0, $0.1) })
  }

  /// A bank offset for the chunk `DBNK`.
  public static func bankOffset(_ number: Int) -> (String, [UInt8]) {
    ("DBNK", [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)])
  }

  /// A text of the list `INFO`, with a zero after it.
  public static func text(_ name: String, _ text: String) -> (String, [UInt8]) {
    (name, Array(text.utf8) + [0])
  }

  /// A chunk, padded to an even number of bytes.
  public static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let length = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: bytes.count >> $0) }
    return Array(name.utf8) + length + bytes + [UInt8](repeating: 0, count: bytes.count & 1)
  }
}

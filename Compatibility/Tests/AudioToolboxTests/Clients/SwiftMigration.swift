// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Converts sources of Swift 1 and 2 to today's Swift, as migrators did, with the same meaning.
enum SwiftMigration {
  private static let handles =
    "(AUGraph|AudioUnit|MusicPlayer|MusicSequence|MusicTrack|MusicEventIterator)"

  /// Expressions that are not valid any more, with their replacements.
  private static let rules = [
    (#"\b__LINE__\b"#, "#line"),
    (#"\bprintln\("#, "print("),
    (#"for var (\w+):\s*UInt32 = 0; \w+ < (\w+); \w+\+\+ "#, "for $1 in 0..<$2 "),
    (#"(\w+)\+\+"#, "$1 += 1"),
    // First arguments did not have labels.
    (#"func (\w+)\((\w+):"#, "func $1(_ $2:"),
    // Pointers were never optional.
    (#"((?::|->)\s*)\#(handles)\b"#, "$1$2!"),
    (#"UnsafePointer<\(\)>"#, "UnsafeRawPointer!"),
    (#"UnsafePointer<(\w+)>\(eventData\)"#, "eventData.assumingMemoryBound(to: $1.self)"),
    (#"\.memory\b"#, ".pointee"),
    (#"\bsizeof\((\w+)\)"#, "MemoryLayout<$1>.size"),
    // Boolean values were bytes.
    (#":\s*Boolean = 0"#, ": DarwinBoolean = false"),
    (#"\(hasCurrentEvent != 0\)"#, "hasCurrentEvent.boolValue"),
    (#"if playing == 0"#, "if !playing.boolValue"),
    // Constants of C were integers of one type.
    (#"switch Int\(eventType\)"#, "switch eventType"),
    (
      #"MusicSequenceLoadFlags\(kMusicSequenceLoadSMF_ChannelsToTracks\)"#,
      "MusicSequenceLoadFlags.smf_ChannelsToTracks"
    ),
    (
      #"MusicSequenceFileTypeID\(kMusicSequenceFile_MIDIType\)"#,
      "MusicSequenceFileTypeID.midiType"
    ),
    // Strings were converted to objects implicitly.
    (#"(\w+) as NSString"#, "NSString(string: $1)"),
  ]

  /// Names that Foundation has removed.
  static let names = """
    import Foundation

    enum NSBundle {
      static func mainBundle() -> Bundle { Bundle.main }
    }

    extension Bundle {
      func URLForResource(_ name: String, withExtension suffix: String) -> NSURL? {
        path(forResource: name, ofType: suffix).map { NSURL(fileURLWithPath: $0) }
      }
    }
    """

  static func migrated(_ source: String) -> String {
    rules.reduce(source) { text, rule in
      text.replacingOccurrences(of: rule.0, with: rule.1, options: .regularExpression)
    }
  }
}

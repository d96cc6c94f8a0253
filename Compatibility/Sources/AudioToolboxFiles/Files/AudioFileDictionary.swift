// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Foundation

/// The texts of a file as a dictionary with the keys of AudioFile.h.
enum AudioFileDictionary {
  private static let keys: [(tag: SoundFileMetadata.Tag, key: String)] = [
    (.title, kAFInfoDictionary_Title), (.artist, kAFInfoDictionary_Artist),
    (.album, kAFInfoDictionary_Album), (.trackNumber, kAFInfoDictionary_TrackNumber),
    (.genre, kAFInfoDictionary_Genre), (.date, kAFInfoDictionary_RecordedDate),
    (.comment, kAFInfoDictionary_Comments), (.copyright, kAFInfoDictionary_Copyright),
    (.software, kAFInfoDictionary_EncodingApplication),
  ]

  /// The dictionary of a file.
  ///
  /// - Parameters:
  ///   - metadata: the texts.
  ///   - seconds: the duration; nil if it is not known.
  /// - Returns: strings.
  static func dictionary(_ metadata: SoundFileMetadata, seconds: Double?) -> NSDictionary {
    var texts = metadata.strings
    for (tag, key) in keys { texts[key] = metadata.tags[tag] ?? texts[key] }
    if let date = metadata.tags[.date], date.utf8.count >= 4 {
      texts[kAFInfoDictionary_Year] = String(date.prefix(4))
    }
    if let tempo = metadata.tempo {
      texts[kAFInfoDictionary_Tempo] = "\(tempo.beatsPerMinute)"
      texts[kAFInfoDictionary_TimeSignature] = "\(tempo.signature.0)/\(tempo.signature.1)"
    }
    if let seconds {
      texts[kAFInfoDictionary_ApproximateDurationInSeconds] = String(format: "%.3f", seconds)
    }
    let dictionary = NSMutableDictionary()
    for (key, text) in texts {
      dictionary.setObject(NSString(string: text), forKey: NSString(string: key))
    }
    return dictionary
  }

  /// Reads a dictionary that a program sets.
  ///
  /// - Throws: `kAudioFileBadPropertySizeError` for a value that is not an object.
  static func read(
    _ source: PropertySource, into metadata: inout SoundFileMetadata
  ) throws(StatusError) {
    guard
      let object = unsafe UnsafeRawPointer(bitPattern: try source.value(as: UInt.self)),
      let dictionary = unsafe Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
        as? NSDictionary
    else { throw .parameter }
    for (key, value) in dictionary {
      guard let key = text(key), let value = text(value) else { continue }
      if let tag = keys.first(where: { $0.key == key })?.tag {
        metadata.tags[tag] = value
      } else if key == kAFInfoDictionary_Year {
        if metadata.tags[.date] == nil { metadata.tags[.date] = value }
      } else if key != kAFInfoDictionary_ApproximateDurationInSeconds {
        metadata.strings[key] = value
      }
    }
  }

  private static func text(_ value: Any) -> String? {
    switch value {
    case let text as String: text
    case let text as NSString: text.description
    case let number as NSNumber: number.stringValue
    default: nil
    }
  }
}

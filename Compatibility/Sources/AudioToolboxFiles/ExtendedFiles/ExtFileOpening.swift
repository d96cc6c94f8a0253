// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Foundation
internal import MusicalTime

/// Opens and creates the files behind `ExtAudioFileRef`.
enum ExtFileOpening {
  /// The path of a file's address.
  ///
  /// - Throws: `StatusError.parameter` for an address that is not a file's.
  static func path(_ url: CFURL?) throws(StatusError) -> String {
    guard let url = url as URL?, url.isFileURL else { throw .parameter }
    return url.path
  }

  /// Opens a file to read.
  ///
  /// - Throws: a code for a file that cannot be read.
  static func reading(_ path: String) throws(StatusError) -> ExtFileObject {
    do throws(SoundFileError) {
      let reader = try SoundFileReader(path: path)
      return unsafe ExtFileObject(.reading(ExtFileReading(reader)), formats(reader), path: path)
    } catch {
      throw ExtFileErrors.status(error)
    }
  }

  /// Prepares a file to write.
  ///
  /// - Throws: a code for a file that cannot be created.
  static func writing(
    _ path: String, _ type: AudioFileTypeID, _ description: AudioStreamBasicDescription,
    _ layout: ChannelLabels?, mayReplace: Bool
  ) throws(StatusError) -> ExtFileObject {
    let writing = try ExtFileWriting(path, type, description, layout, mayReplace: mayReplace)
    return unsafe ExtFileObject(.writing(writing), [writing.description], path: path)
  }

  /// The formats of a file, the richest first.
  static func formats(_ reader: SoundFileReader) -> [AudioStreamBasicDescription] {
    let hertz = Int(reader.rate.hertz)
    if let format = reader.format, format.encoding.bytes != nil {
      return [format.description(hertz: hertz, channelCount: reader.channelCount)]
    }
    let layers = reader.formats.map { AudioStreamBasicDescription($0) }
    if let first = layers.first, first.mFormatID != kAudioFormatLinearPCM { return layers }
    let form = PCMForm(.float32, rate: reader.rate, channelCount: reader.channelCount)
    return [form.description]
  }
}

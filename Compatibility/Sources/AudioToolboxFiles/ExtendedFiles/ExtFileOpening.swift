// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
package import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Foundation
internal import MusicalTime

/// Opens and creates the files behind `ExtAudioFileRef`.
package enum ExtFileOpening {
  /// The path of a file's address.
  ///
  /// - Throws: `StatusError.parameter` for an address that is not a file's.
  static func path(_ url: CFURL?) throws(StatusError) -> String {
    guard let path = (url as URL?)?.fileName else { throw .parameter }
    return path
  }

  /// Opens a file to read.
  ///
  /// - Throws: a code for a file that cannot be read.
  static func reading(_ path: String) throws(StatusError) -> ExtFileObject {
    do throws(SoundFileError) {
      let reader = try SoundFileReader(path: path)
      return unsafe ExtFileObject(.reading(ExtFileReading(reader)), formats(reader), path: path)
    } catch {
      throw StatusError(error)
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

  /// Reads or writes a file that the program opened and closes.
  ///
  /// - Throws: a code for a file that cannot be read or written.
  static func wrapping(_ id: AudioFileID?, writes: Bool) throws(StatusError) -> ExtFileObject {
    let file = try unsafe AudioFileObject.of(id)
    if writes {
      let writing = try ExtFileWriting(file)
      return unsafe ExtFileObject(
        .writing(writing), [writing.description], path: nil, wrapped: id)
    }
    let formats = try file.with { (content) throws(StatusError) in content.formats }
    do throws(SoundFileError) {
      let reader: SoundFileReader
      switch file.source {
      case .path(let path): reader = try SoundFileReader(path: path)
      case .bytes(let bytes): reader = try SoundFileReader(source: bytes)
      case .none: throw .notSoundFile(path: "", reason: "it is being written")
      }
      return unsafe ExtFileObject(
        .reading(ExtFileReading(reader)), formats, path: nil, wrapped: id)
    } catch {
      throw StatusError(error)
    }
  }

  /// The format of a file of samples; nil for another file.
  private static func samples(_ path: String) -> AudioStreamBasicDescription? {
    do throws(SoundFileError) {
      let file = try SampleFile(path: path, access: .reading)
      return SampleContent(file)?.format
    } catch {
      return nil
    }
  }

  /// The formats of a file, the richest first.
  ///
  /// Single precision stands for a codec that Core Audio does not have.
  ///
  /// - Parameter reader: the file.
  /// - Returns: one format or more.
  package static func formats(_ reader: SoundFileReader) -> [AudioStreamBasicDescription] {
    if let file = samples(reader.path) { return [file] }
    let hertz = Int(reader.rate.hertz)
    if let format = reader.format, format.encoding.bytes != nil {
      return [format.description(hertz: hertz, channelCount: reader.channelCount)]
    }
    let layers = reader.formats.map {
      AudioStreamBasicDescription($0, bits: reader.integerBits)
    }
    if let first = layers.first, first.mFormatID != kAudioFormatLinearPCM { return layers }
    let form = PCMForm(.float32, rate: reader.rate, channelCount: reader.channelCount)
    return [form.description]
  }
}

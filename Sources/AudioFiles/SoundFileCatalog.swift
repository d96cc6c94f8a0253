// SPDX-License-Identifier: Apache-2.0
internal import CSndFile

/// The kinds of sound file that libsndfile reads, and what can be done with each.
public enum SoundFileCatalog {
  /// A container that libsndfile reads.
  public struct Entry: Hashable, Sendable {
    /// libsndfile's name for it.
    public let name: String
    /// The container, or nil where it is read only.
    public let container: SoundFileFormat.Container?
    /// libsndfile's names of the encodings that it reads in it.
    public let encodingNames: [String]
  }

  /// The containers, those that can be written first.
  ///
  /// - Throws: `SoundFileError.libraryMissing` without libsndfile.
  public static func entries() throws(SoundFileError) -> [Entry] {
    guard unsafe csndfile_table() != nil else {
      throw unsafe .libraryMissing(reason: String(cString: csndfile_missing()))
    }
    let majors = SoundFileHandle.formats(
      count: SFC_GET_FORMAT_MAJOR_COUNT, get: SFC_GET_FORMAT_MAJOR)
    let minors = SoundFileHandle.formats(
      count: SFC_GET_FORMAT_SUBTYPE_COUNT, get: SFC_GET_FORMAT_SUBTYPE)
    // Without a header a file does not say what it is.
    let all = majors.filter { $0.code != SF_FORMAT_RAW }.map { major in
      let names = minors.filter { holds(major.code, $0.code) }.map(\.name)
      let container = SoundFileFormat.Container.allCases.first { $0.code == major.code }
      return Entry(name: major.name, container: container, encodingNames: names)
    }
    return all.filter { $0.container != nil } + all.filter { $0.container == nil }
  }

  private static func holds(_ major: Int, _ minor: Int) -> Bool {
    var shape = SF_INFO()
    shape.format = Int32(major | minor)
    // One of the rates and shapes that every codec takes.
    shape.channels = 1
    shape.samplerate = 8000
    return SoundFileHandle.canWrite(shape)
  }
}

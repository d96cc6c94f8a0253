// SPDX-License-Identifier: Apache-2.0
internal import CSndFile

/// Lists the containers that the installed libsndfile reads, with their encodings.
public enum SoundFileCatalog {
  /// A container that libsndfile reads.
  public struct Entry: Hashable, Sendable {
    /// libsndfile's name of the container.
    public let name: String
    /// The container; nil if it can be read but not written.
    public let container: SoundFileFormat.Container?
    /// libsndfile's names of the encodings that it supports for this container.
    public let encodingNames: [String]
  }

  /// Returns the containers, starting with those that can be written.
  ///
  /// - Throws: `SoundFileError.libraryMissing` if libsndfile is not installed.
  public static func entries() throws(SoundFileError) -> [Entry] {
    guard unsafe csndfile_table() != nil else {
      throw unsafe .libraryMissing(reason: String(cString: csndfile_missing()))
    }
    let majors = SoundFileHandle.formats(
      count: SFC_GET_FORMAT_MAJOR_COUNT, get: SFC_GET_FORMAT_MAJOR)
    let minors = SoundFileHandle.formats(
      count: SFC_GET_FORMAT_SUBTYPE_COUNT, get: SFC_GET_FORMAT_SUBTYPE)
    // A file without a header does not state its format.
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
    // A rate and channel count that every codec supports.
    shape.channels = 1
    shape.samplerate = 8000
    return SoundFileHandle.canWrite(shape)
  }
}

// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
internal import CommandKit
internal import PlayerControl
package import SoundStreaming

/// A sound as a command names it: a file, standard input, or a web address.
package struct AddressSource {
  private let path: String

  /// Creates the source for an argument of the command line.
  package init(_ path: String) { self.path = path }

  /// True if an argument is a web address and not a file.
  package static func isAddress(_ word: String) -> Bool {
    FileAddress.scheme(of: word).map { $0 != "file" } ?? false
  }

  /// The settings of all transfers: certificates named by the environment, and the program's name
  /// and version.
  package static var settings: StreamSettings {
    var settings = StreamSettings()
    settings.http.userAgent = "downbeat/\(Version.text)"
    settings.http.certificatePath =
      Environment.variables["CURL_CA_BUNDLE"].flatMap { $0.isEmpty ? nil : $0 }
      ?? Environment.variables["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    return settings
  }

  /// Opens the sound; an address is fetched first.
  ///
  /// - Parameters:
  ///   - end: The end of the part that is needed; required for a live broadcast.
  ///   - isCancelled: Called while the sound is fetched; returns true to cancel.
  /// - Returns: The reader, and the owner of a fetched file, which must be kept while reading; nil
  ///   if the fetch was cancelled.
  /// - Throws: `SoundFileError`, or `HTTPError` for an address.
  package func open(
    to end: StreamTime? = nil, unless isCancelled: () -> Bool = { false }
  ) throws -> (reader: SoundFileReader, owner: FetchedSound?)? {
    guard Self.isAddress(path) else { return (try SoundSource(path).open(), nil) }
    var settings = Self.settings
    settings.end = end
    let (fetch, address) = (AddressFetch(settings), path)
    let sound = try AddressFetch.wait(unless: isCancelled) { try await fetch.sound(address) }
    guard let sound else { return nil }
    return (try SoundFileReader(descriptor: sound.descriptor, name: sound.name), sound)
  }

  /// Reads the properties of the sound at an address.
  package func survey() throws -> AddressFetch.Found? {
    let (fetch, address) = (AddressFetch(Self.settings), path)
    return try AddressFetch.wait(unless: { false }) { try await fetch.survey(address) }
  }
}

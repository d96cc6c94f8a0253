// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioToolboxFiles
internal import Foundation
internal import SoundStreaming
internal import Synchronization

/// The file or address of an asset, whose properties are read when they are first needed.
///
/// - Note: Any thread.
final class AssetSource: Sendable {
  let url: URL
  /// The name of the file; nil for an address.
  let path: String?
  private let known = Mutex<Result<AssetFacts, AVError>?>(nil)

  init(_ url: URL) {
    self.url = url
    path = url.fileName
  }

  /// True if the properties were read, or could not be read.
  var isLoaded: Bool { known.withLock { $0 != nil } }

  /// The properties, which the first call reads.
  ///
  /// - Throws: The error of the file or address, the same each time.
  func facts() throws(AVError) -> AssetFacts {
    try known.withLock { known -> Result<AssetFacts, AVError> in
      if let known { return known }
      let new = Result { () throws(AVError) in try read() }
      known = new
      return new
    }.get()
  }

  private func read() throws(AVError) -> AssetFacts {
    if let path { return try AssetFacts(path: path) }
    guard ["http", "https"].contains(url.scheme?.lowercased()) else {
      throw AVError(.contentIsUnavailable, "\(url): neither a file nor a web address")
    }
    let address = url.absoluteString
    do {
      // Nothing asks to give up, so that there is a result.
      guard
        let facts = try AddressFetch.wait(
          unless: { false },
          {
            switch try await AddressFetch().survey(address) {
            case .survey(let survey): AssetFacts(survey)
            case .file(let sound):
              try AssetFacts(SoundFileReader(descriptor: sound.descriptor, name: sound.name))
            }
          })
      else { throw AVError(.operationCancelled) }
      return facts
    } catch {
      throw AVError.of(error)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
internal import AudioToolboxFiles
internal import Foundation

/// The types of sound file that are read.
enum ReadableTypes {
  /// Uniform type identifiers, each once.
  static let identifiers: [AVFileType] = unique(SoundFileKind.all.flatMap(\.typeIdentifiers))
    .map { AVFileType($0) }

  /// Media types of the Internet, each once.
  static let mimeTypes = unique(SoundFileKind.all.flatMap(\.mimeTypes))

  private static func unique(_ names: [String]) -> [String] {
    var known: Set<String> = []
    return names.filter { known.insert($0).inserted }
  }
}

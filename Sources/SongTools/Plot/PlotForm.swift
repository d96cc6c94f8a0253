// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import CairoPictures
package import CommandKit
package import SongPictures

/// The file formats of pictures.
package enum PlotForm: String, CaseIterable, ExpressibleByArgument {
  case svg, png, html

  /// Creates the format for the extension of a file name; nil if it is unknown.
  package init?(path: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    let suffix = name[name.index(after: dot)...].lowercased()
    self.init(rawValue: suffix == "htm" ? "html" : suffix)
  }
}

extension PictureTheme: ExpressibleByArgument {}

extension CairoError: FailureDescribing {
  package var exitStatus: ExitStatus { .failure }
}

// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import CairoPictures
package import CommandKit
package import SongPictures

/// The kinds of file that a picture is written as.
package enum PlotForm: String, CaseIterable, ExpressibleByArgument {
  case svg, png, html

  /// The form that a file's name ends in; nil for any other.
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

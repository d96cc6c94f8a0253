// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CairoPictures
internal import SongPictures

/// The kinds of file that a picture is written as.
enum PlotForm: String, CaseIterable, ExpressibleByArgument {
  case svg, png, html

  /// The form that a file's name ends in; nil for any other.
  init?(path: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    let suffix = name[name.index(after: dot)...].lowercased()
    self.init(rawValue: suffix == "htm" ? "html" : suffix)
  }
}

extension PictureTheme: ExpressibleByArgument {}

extension CairoError: FailureDescribing {
  var exitStatus: ExitStatus { .failure }
}

// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import MusicalTime

/// `downbeat convert`.
struct Convert: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Converts times.")

  @Flag(help: "Answer requests in JSON, one a line.")
  var vectors = false

  func run() throws {
    if vectors {
      let status = try ConvertVectors.run()
      if status != .success { throw status }
    }
  }
}

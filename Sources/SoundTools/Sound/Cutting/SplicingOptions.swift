// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The options of the commands that create a sound file from others.
struct SplicingOptions: ParsableArguments {
  @Option(name: [.short, .long], help: "File to write.")
  var output: String

  @Flag(help: "Replace OUT if it exists.")
  var overwrite = false

  @Flag(name: [.short, .long], help: "Print only errors.")
  var quiet = false
}

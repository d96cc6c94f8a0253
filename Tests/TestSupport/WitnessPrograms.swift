// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Testing

/// Programs of others written in Python (`Tests/witnesses.txt`), which `make setup-test` installs.
public enum WitnessPrograms {
  /// The interpreter that knows them.
  public static let python = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    .appendingPathComponent(".build/witnesses/bin/python").path

  /// Whether they are there.
  public static var areInstalled: Bool { FileManager.default.isExecutableFile(atPath: python) }

  /// Why a test that asks them is skipped.
  public static let reason: Comment = "no witnesses written in Python (make setup-test)"
}

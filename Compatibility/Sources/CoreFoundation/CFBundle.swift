// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Returns the folder with the files of the program.
public func CFBundleGetMainBundle() -> CFBundle! { Bundle.main }

/// Returns the URL of a file of a program.
///
/// - Parameters:
///   - bundle: The program's folder.
///   - resourceName: The file's name.
///   - resourceType: The suffix, without the dot; nil if the name has it.
///   - subDirName: A folder in the program's folder, or nil.
/// - Returns: The URL, or nil if the file does not exist.
public func CFBundleCopyResourceURL(
  _ bundle: CFBundle!, _ resourceName: CFString!, _ resourceType: CFString!,
  _ subDirName: CFString!
) -> CFURL! {
  let path = bundle?.path(
    forResource: resourceName?.description, ofType: resourceType?.description,
    inDirectory: subDirName?.description)
  return path.map { NSURL(fileURLWithPath: $0) }
}

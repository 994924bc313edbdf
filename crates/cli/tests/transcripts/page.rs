//! A transcript as blocks, and back to the text it came from.

pub enum Block {
    /// Lines that are no block of ours.
    Text(String),
    File {
        fence: String,
        name: String,
        text: String,
    },
    Console {
        fence: String,
        commands: Vec<Command>,
    },
}

pub struct Command {
    pub line: String,
    pub output: String,
    pub exit: i32,
}

pub fn parse(text: &str) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if !line.starts_with("```") {
            blocks.push(Block::Text(line.to_string()));
            continue;
        }
        let mut body = Vec::new();
        loop {
            match lines.next() {
                None => return Err(format!("the block `{line}` does not end")),
                Some("```") => break,
                Some(inner) => body.push(inner),
            }
        }
        let fence = line.to_string();
        if let Some(name) = line.split_whitespace().find_map(|w| w.strip_prefix("file=")) {
            let text = body.iter().map(|l| format!("{l}\n")).collect();
            blocks.push(Block::File { name: name.to_string(), fence, text });
        } else if line == "```console" {
            blocks.push(Block::Console { fence, commands: commands(&body)? });
        } else {
            blocks.push(Block::Text([&[line], &body[..], &["```"]].concat().join("\n")));
        }
    }
    Ok(blocks)
}

fn commands(body: &[&str]) -> Result<Vec<Command>, String> {
    let mut commands: Vec<Command> = Vec::new();
    for line in body {
        if let Some(line) = line.strip_prefix("$ ") {
            commands.push(Command { line: line.to_string(), output: String::new(), exit: 0 });
            continue;
        }
        let last = commands.last_mut().ok_or("output before the first command")?;
        match line.strip_prefix("? ").map(str::parse) {
            Some(Ok(exit)) => last.exit = exit,
            _ => last.output.push_str(&format!("{line}\n")),
        }
    }
    Ok(commands)
}

pub fn print(blocks: &[Block]) -> String {
    let mut out = String::new();
    for block in blocks {
        match block {
            Block::Text(text) => out.push_str(&format!("{text}\n")),
            Block::File { fence, text, .. } => out.push_str(&format!("{fence}\n{text}```\n")),
            Block::Console { fence, commands } => {
                out.push_str(&format!("{fence}\n"));
                for Command { line, output, exit } in commands {
                    out.push_str(&format!("$ {line}\n{output}"));
                    if !output.is_empty() && !output.ends_with('\n') {
                        out.push('\n');
                    }
                    if *exit != 0 {
                        out.push_str(&format!("? {exit}\n"));
                    }
                }
                out.push_str("```\n");
            }
        }
    }
    out
}

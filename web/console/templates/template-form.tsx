import { CheckField } from '../parts/check-field.tsx'
import { Form, TextArea, TextField } from '../parts/form.tsx'

type TemplateInput = {
  title: string
  description: string
  prompt: string
  tags: string[]
  is_private: boolean
  share_emails: string[]
}

type Template = Omit<TemplateInput, 'share_emails'> & { shared_emails: string[] }

type Props = { template?: Template; onSubmit: (input: TemplateInput) => Promise<unknown> }

export function TemplateForm({ template, onSubmit }: Props) {
  return (
    <Form
      submit="Save"
      resets={template === undefined}
      onSubmit={(fields) =>
        onSubmit({
          title: fields.text('title'),
          description: fields.text('description'),
          prompt: fields.text('prompt'),
          tags: fields.list('tags', ','),
          is_private: fields.isOn('private'),
          share_emails: fields.isOn('private') ? fields.list('emails', ',') : [],
        })
      }
    >
      <TextField name="title" label="Title" required defaultValue={template?.title} />
      <TextField name="description" label="Description" required defaultValue={template?.description} />
      <TextArea name="prompt" label="Prompt" required defaultValue={template?.prompt} />
      <TextField name="tags" label="Tags, separated by commas" defaultValue={template?.tags.join(', ')} />
      <CheckField label="Private" name="private" defaultChecked={template?.is_private ?? true} />
      <TextField
        name="emails"
        label="Share with email addresses"
        hint="Separated by commas. Only you and these people can see a private template."
        defaultValue={template?.shared_emails.join(', ')}
      />
    </Form>
  )
}
